import { onTestFinished } from 'vitest';
import { createAuditLog } from '../../src/identity/audit/audit.ts';
import {
  createGrantPermissions,
  type GrantPermissions,
} from '../../src/identity/grants/grant-permissions.ts';
import type { GrantService } from '../../src/identity/grants/grants.ts';
import type { Principal } from '../../src/identity/principal/principal.ts';
import { toPrincipal } from '../../src/identity/records/users.ts';
import { createDatabase, type Database } from '../../src/store/database.ts';
import { createUuidV7 } from '../../src/store/values/uuid.ts';
import { homeAt } from '../../src/workspace/home/home.ts';
import { createServices, type Services } from '../../src/workspace/services/services.ts';
import { makeFolder } from '../store/temporary-home.ts';

export { refusalOf } from './account-world.ts';

/** A home as the workspace wires it. */
export interface GrantWorld extends Services {
  readonly home: string;
  readonly database: Database;
  readonly grants: GrantService;
  readonly permissions: GrantPermissions;
  /** The one administrator. */
  readonly admin: Principal;
  /** Makes a user, an EDITOR unless said otherwise. */
  add(userName: string, role?: string): Principal;
}

/** Makes a world, or opens the one at `home` once more; closed when the test has finished. */
export function createGrantWorld(home = makeFolder()): GrantWorld {
  const clock = () => new Date();
  const database = createDatabase(home, { clock });
  onTestFinished(() => database.close());
  database.statement('PRAGMA synchronous = OFF').run();
  const services = createServices(database, homeAt(home));
  const newId = createUuidV7(clock);
  const audit = createAuditLog(database, clock, newId);
  return {
    ...services,
    home,
    database,
    grants: services.accounts.grants,
    permissions: createGrantPermissions({ database, clock, newId, audit }),
    admin: toPrincipal(services.users.ensureOwner()),
    add: (userName, role = 'EDITOR') => toPrincipal(services.users.create({ userName, role })),
  };
}

/** A world with two folders, one in the other. */
export function createPlace(): GrantWorld {
  const world = createGrantWorld();
  makeFolders(world, '@Shared/x', '@Shared/x/y');
  return world;
}

/** Grants something as the administrator. */
export function set({ grants, admin }: GrantWorld, subject: string, level: string, target: string) {
  return grants.set(admin, { subject, level, target });
}

/** Makes folders, each with its parent there already. */
export function makeFolders({ catalog, admin }: GrantWorld, ...paths: string[]): void {
  for (const path of paths) {
    const [parent_path, name] = split(path);
    catalog.createFolder(admin, { parent_path, name });
  }
}

/** Makes an asset, as whom is said. */
export function makeAsset({ catalog }: GrantWorld, who: Principal, path: string): void {
  const [parent_path, name] = split(path);
  catalog.createAsset(who, { parent_path, name, content: 'select 1' });
}

/** Moves a folder, as whom is said. */
export function moveFolder({ catalog }: GrantWorld, who: Principal, path: string, parent_path: string): void {
  catalog.updateFolder(who, path, '*', { parent_path });
}

/** What somebody may do: N, V, E or M, as it is found by trying. */
export function tryLevel({ catalog, grants }: GrantWorld, who: Principal, path: string): string {
  const works = (act: () => unknown) => {
    try {
      act();
      return true;
    } catch {
      return false;
    }
  };
  if (works(() => grants.list(who, path))) return 'MANAGE';
  if (works(() => catalog.updateFolder(who, path, '*', {}))) return 'EDIT';
  return works(() => catalog.get(who, path)) ? 'VIEW' : 'NONE';
}

/** All grants in words, and what is restricted, as the administrator sees them. */
export function listAll({ grants, admin }: GrantWorld): string[] {
  const { data, restricted } = grants.list(admin);
  return [
    ...data.map(({ subject, level, target }) => `${subject} ${level} ${target}`),
    ...restricted.map((path) => `restricted ${path}`),
  ];
}

/** The entries of the audit log about grants, the oldest first. */
export function listAudit({ database }: GrantWorld): string[] {
  const sql = `SELECT actor, action, object FROM audit_log WHERE action LIKE 'grant.%' ORDER BY id`;
  return database
    .statement<{ actor: string; action: string; object: string }>(sql)
    .all()
    .map(({ actor, action, object }) => `${actor} ${action} ${object}`);
}

function split(path: string): [string, string] {
  const cut = path.lastIndexOf('/');
  return [path.slice(0, cut), path.slice(cut + 1)];
}
