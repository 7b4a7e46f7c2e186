import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { type ConnectionService, createConnectionService } from '../../src/connections/service.ts';
import { ServiceError } from '../../src/errors/service-error.ts';
import { createAuditLog } from '../../src/identity/audit/audit.ts';
import { createAnnouncements } from '../../src/identity/context/announcements.ts';
import { createGrantPermissions } from '../../src/identity/grants/grant-permissions.ts';
import type { ConnectionLevel } from '../../src/identity/principal/permissions.ts';
import type { Principal } from '../../src/identity/principal/principal.ts';
import { createGrantStore } from '../../src/identity/records/grant-store.ts';
import { createUserService, toPrincipal } from '../../src/identity/records/users.ts';
import { createSecrets } from '../../src/identity/secrets/secrets.ts';
import { createDatabase, type Database } from '../../src/store/database.ts';
import { createUuidV7 } from '../../src/store/values/uuid.ts';
import { createTestClock, makeFolder } from '../store/temporary-home.ts';

/** A home with two users, and only the default connection. */
export interface World {
  readonly home: string;
  readonly database: Database;
  readonly connections: ConnectionService;
  /** An administrator. */
  readonly owner: Principal;
  /** Not an administrator. */
  readonly guest: Principal;
}

interface WorldOptions {
  readonly home?: string;
  readonly masterKey?: string;
}

/** Creates a world, or opens the one at `home` a second time; closes it when the test has finished. */
export function createWorld(options: WorldOptions = {}): World {
  const { home = makeFolder(), masterKey } = options;
  const clock = createTestClock();
  const newId = createUuidV7(() => new Date());
  const database = createDatabase(home, { clock });
  onTestFinished(() => database.close());
  const audit = createAuditLog(database, clock, newId);
  const { connections: permissions } = createGrantPermissions({ database, clock, newId, audit });
  const secrets = createSecrets({ folder: home, variable: masterKey });
  const duckdbFile = '/home/db/main.duckdb';
  const connections = createConnectionService({
    audit,
    announcements: createAnnouncements(database),
    database,
    permissions,
    secrets,
    clock,
    newId,
    duckdbFile,
    checkVisible: () => undefined,
  });
  const users = createUserService({ database, clock, newId, onCreated: () => undefined });
  const owner = users.ensureOwner();
  const guest = users.findByUserName('guest') ?? users.create({ userName: 'guest' });
  return { home, database, connections, owner: toPrincipal(owner), guest: toPrincipal(guest) };
}

/** Sets or removes the guest's grant on a connection. */
export function grant({ database, guest }: World, name: string, level: ConnectionLevel): void {
  const store = createGrantStore(database);
  const { id } = database.statement<{ id: string }>('SELECT id FROM connections WHERE name = ?').get(name)!;
  const target = { kind: 'connection', id } as const;
  const subject = { kind: 'user', id: guest.userId, name: guest.userName } as const;
  if (level === 'NONE') store.delete(target, subject);
  else store.set(randomUUID(), { subject, target, level, createdAt: '' });
}

/** The fields of a connection to a server, with the secret `hunter2`. */
export function serverBody(name: string, more: object = {}): object {
  const options = { host: 'db.example', user: 'quern' };
  return { name, kind: 'postgresql', options, secrets: { password: 'hunter2' }, ...more };
}

/** The fields of a connection to a file. */
export function fileBody(name: string, more: object = {}): object {
  return { name, kind: 'duckdb', options: { file: '/data/shop.duckdb' }, ...more };
}

/** The error of a call, with its hint; fails the test when the call succeeds. */
export function refusalOf(act: () => unknown): { status: number; detail: string; hint: string | undefined } {
  try {
    act();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { status: error.status, detail: error.detail, hint: error.hint };
  }
  throw new Error('not refused');
}
