import { onTestFinished } from 'vitest';
import type { ConnectionServiceOptions } from '../../src/connections/context.ts';
import { type ConnectionService, createConnectionService } from '../../src/connections/service.ts';
import { ServiceError } from '../../src/errors/service-error.ts';
import { createOwnerConnectionPermissions } from '../../src/identity/owner-permissions.ts';
import type { Principal } from '../../src/identity/principal.ts';
import { createSecrets } from '../../src/identity/secrets/secrets.ts';
import { createUserService, toPrincipal } from '../../src/identity/users.ts';
import { createDatabase, type Database } from '../../src/store/database.ts';
import { createUuidV7 } from '../../src/store/uuid.ts';
import { createTestClock, makeFolder } from '../store/temporary-home.ts';

/** A home with two users, and no connection but the one that every home has. */
export interface World {
  readonly home: string;
  readonly database: Database;
  readonly connections: ConnectionService;
  /** A super-user. */
  readonly owner: Principal;
  /** Not a super-user. */
  readonly guest: Principal;
}

type WorldOptions = Partial<Pick<ConnectionServiceOptions, 'permissions'>> & {
  readonly home?: string;
  readonly masterKey?: string;
};

/** Makes a world, or opens the one at `home` once more; closed when the test has finished. */
export function createWorld(options: WorldOptions = {}): World {
  const { home = makeFolder(), masterKey, permissions = createOwnerConnectionPermissions() } = options;
  const clock = createTestClock();
  const newId = createUuidV7(() => new Date());
  const database = createDatabase(home, { clock });
  onTestFinished(() => database.close());
  const secrets = createSecrets({ folder: home, variable: masterKey });
  const duckdbFile = '/home/db/main.duckdb';
  const connections = createConnectionService({ database, permissions, secrets, clock, newId, duckdbFile });
  const users = createUserService({ database, clock, newId, onCreated: () => undefined });
  const owner = users.ensureOwner();
  const guest = users.findByUserName('guest') ?? users.create({ userName: 'guest' });
  return { home, database, connections, owner: toPrincipal(owner), guest: toPrincipal(guest) };
}

/** A body of a connection to a server; the secret in it is `hunter2`. */
export function serverBody(name: string, more: object = {}): object {
  const options = { host: 'db.example', user: 'quern' };
  return { name, kind: 'postgresql', options, secrets: { password: 'hunter2' }, ...more };
}

/** A body of a connection to a file. */
export function fileBody(name: string, more: object = {}): object {
  return { name, kind: 'duckdb', options: { file: '/data/shop.duckdb' }, ...more };
}

/** How a call was refused, and what a person is told beyond; fails the test when it was not. */
export function refusalOf(act: () => unknown): { status: number; detail: string; hint: string | undefined } {
  try {
    act();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { status: error.status, detail: error.detail, hint: error.hint };
  }
  throw new Error('not refused');
}
