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

/** A home with the services that the workspace creates. */
export interface GrantWorld extends Services {
  readonly home: string;
  readonly database: Database;
  readonly grants: GrantService;
  readonly permissions: GrantPermissions;
  /** The only administrator. */
  readonly admin: Principal;
  /** Creates a user, an EDITOR by default. */
  add(userName: string, role?: string): Principal;
}

/** Creates a world, or opens the one at `home` a second time; closes it when the test has finished. */
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

/** A world with a folder that contains a folder. */
export function createPlace(): GrantWorld {
  const world = createGrantWorld();
  makeFolders(world, '@Shared/x', '@Shared/x/y');
  return world;
}

/** Grants a level as the administrator. */
export function set({ grants, admin }: GrantWorld, subject: string, level: string, target: string) {
  return grants.set(admin, { subject, level, target });
}

/** Creates folders; each parent must exist already. */
export function makeFolders({ catalog, admin }: GrantWorld, ...paths: string[]): void {
  for (const path of paths) {
    const [parentPath, name] = split(path);
    catalog.createFolder(admin, { parentPath, name });
  }
}

/** Creates an asset as this principal. */
export function makeAsset({ catalog }: GrantWorld, who: Principal, path: string): void {
  const [parentPath, name] = split(path);
  catalog.createAsset(who, { parentPath, name, content: 'select 1' });
}

/** Moves a folder as this principal. */
export function moveFolder({ catalog }: GrantWorld, who: Principal, path: string, parentPath: string): void {
  catalog.updateFolder(who, path, '*', { parentPath });
}

/** The level of a principal on a path, found by calls that need each level. */
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

/** All grants and restrictions as text, as the administrator sees them. */
export function listAll({ grants, admin }: GrantWorld): string[] {
  const { data, restricted } = grants.list(admin);
  return [
    ...data.map(({ subject, level, target }) => `${subject} ${level} ${target}`),
    ...restricted.map((path) => `restricted ${path}`),
  ];
}

/** The entries of the audit log about grants, oldest first. */
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
