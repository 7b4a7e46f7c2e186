import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { type BinService, createBinService } from '../../src/catalog/bin/service.ts';
import type { FolderType } from '../../src/catalog/body.ts';
import type { CatalogOptions } from '../../src/catalog/context.ts';
import { createHistoryService, type HistoryService } from '../../src/catalog/history/service.ts';
import { createManyItemsService, type ManyItemsService } from '../../src/catalog/many/service.ts';
import { createPublishedFiles, type PublishedFiles } from '../../src/catalog/published-files.ts';
import {
  type CatalogService,
  createCatalogContext,
  createCatalogService,
} from '../../src/catalog/service.ts';
import { ServiceError } from '../../src/errors/service-error.ts';
import { type AuditLog, createAuditLog } from '../../src/identity/audit/audit.ts';
import { createGrantPermissions } from '../../src/identity/grants/grant-permissions.ts';
import type { Level } from '../../src/identity/principal/permissions.ts';
import type { Principal } from '../../src/identity/principal/principal.ts';
import { createGrantStore } from '../../src/identity/records/grant-store.ts';
import { createUserService, toPrincipal } from '../../src/identity/records/users.ts';
import { createDatabase, type Database } from '../../src/store/database.ts';
import { createUuidV7 } from '../../src/store/values/uuid.ts';
import { createTestClock, makeFolder } from '../store/temporary-home.ts';

/** A home with two users, and a catalog with only the namespaces. */
export interface World {
  readonly home: string;
  readonly database: Database;
  readonly catalog: CatalogService;
  readonly history: HistoryService;
  readonly bin: BinService;
  readonly manyItems: ManyItemsService;
  /** The owners of the files in the folder `publish` of the home. */
  readonly published: PublishedFiles;
  readonly audit: AuditLog;
  /** An administrator. */
  readonly owner: Principal;
  /** Not an administrator. */
  readonly guest: Principal;
}

/** Creates a world, or opens the one at `home` a second time; closes it when the test has finished. */
export function createWorld({
  home = makeFolder(),
  findHistoryLimit = () => 100,
  findBinDays = () => 30,
  mayChange = () => true,
}: Partial<Pick<CatalogOptions, 'findHistoryLimit' | 'findBinDays' | 'mayChange'>> & {
  home?: string;
} = {}): World {
  const clock = createTestClock();
  const newId = createUuidV7(() => new Date());
  const database = createDatabase(home, { clock });
  onTestFinished(() => database.close());
  const audit = createAuditLog(database, clock, newId);
  const { catalog: permissions } = createGrantPermissions({ database, clock, newId, audit });
  const limits = { findHistoryLimit, findBinDays };
  const context = createCatalogContext({ database, permissions, mayChange, ...limits, clock, newId });
  const catalog = createCatalogService(context);
  const history = createHistoryService({ ...context, audit });
  const bin = createBinService({ ...context, audit });
  const manyItems = createManyItemsService({ ...context, audit });
  const published = createPublishedFiles(context, path.join(home, 'publish'));
  const users = createUserService({
    database,
    clock,
    newId,
    onCreated: (user) => catalog.createHome(user.id),
  });
  const owner = users.ensureOwner();
  const guest = users.findByUserName('guest') ?? users.create({ userName: 'guest' });
  const principals = { owner: toPrincipal(owner), guest: toPrincipal(guest) };
  return { home, database, catalog, history, bin, manyItems, published, audit, ...principals };
}

/** Restricts an item, and grants the guest a level on it if one is given. */
export function close(world: World, path: string, level: Level = 'NONE'): void {
  const store = createGrantStore(world.database);
  const target = { kind: 'item', id: idOf(world, path) } as const;
  store.restrict(target.id, true);
  const { userId, userName } = world.guest;
  const subject = { kind: 'user', id: userId, name: userName } as const;
  if (level !== 'NONE') store.set(randomUUID(), { subject, target, level, createdAt: '' });
}

/** The id of the item at a path, read from the tables. */
export function idOf({ database }: World, path: string): string {
  let id: string | undefined;
  for (const name of path.split('/')) {
    const sql = 'SELECT id FROM catalog_items WHERE parent_id IS ? AND name = ?';
    id = database.statement<{ id: string }>(sql).get(id ?? null, name)?.id;
  }
  return id!;
}

/** The revision of the item at a path. */
export function revisionOf({ catalog, owner }: World, path: string): number {
  return catalog.get(owner, path).revision;
}

/** The error of a call; fails the test when the call succeeds. */
export function refusalOf(act: () => unknown): Pick<ServiceError, 'status' | 'message' | 'detail' | 'code'> {
  try {
    act();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { status, message, detail, code } = error;
    return { status, message, detail, code };
  }
  throw new Error('not refused');
}

/** Creates a folder and its missing ancestors, at a path without a leading slash. */
export function makeFolders({ catalog, owner }: World, path: string, type: FolderType = 'REGULAR'): void {
  const names = path.split('/');
  for (let depth = 2; depth <= names.length; depth++) {
    const parent = names.slice(0, depth - 1).join('/');
    const name = names[depth - 1]!;
    const there = catalog.list(owner, parent).data.some((child) => child.name === name);
    const folderType = depth === names.length ? type : 'REGULAR';
    if (!there) catalog.createFolder(owner, { parentPath: parent, name, folderType });
  }
}

const INSERT = `
  INSERT INTO catalog_items (id, parent_id, name, type, description, revision, created_at, updated_at)
  VALUES (?, ?, ?, ?, '', 1, '', '')
`;

/** Puts 20 folders of as many scripts each, without contents, below `@Shared/root`. */
export function fillFolders(world: World, scripts: number): void {
  makeFolders(world, '@Shared/root');
  const insert = world.database.statement(INSERT);
  const root = idOf(world, '@Shared/root');
  world.database.write(() => {
    for (let folder = 0; folder < 20; folder++) {
      insert.run(`f${folder}`, root, `folder ${folder}`, 'REGULAR_FOLDER');
      for (let asset = 0; asset < scripts; asset++)
        insert.run(`f${folder}a${asset}`, `f${folder}`, `asset ${asset}`, 'SQL_SCRIPT');
    }
  });
}

/** Creates an asset in an existing folder. */
export function makeAsset({ catalog, owner }: World, path: string, content = 'select 1'): void {
  const cut = path.lastIndexOf('/');
  catalog.createAsset(owner, { parentPath: path.slice(0, cut), name: path.slice(cut + 1), content });
}

/** The names in a folder as an administrator sees them. */
export function namesIn({ catalog, owner }: World, path: string): string[] {
  return catalog.list(owner, path).data.map((child) => child.name);
}
