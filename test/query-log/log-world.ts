import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { Principal } from '../../src/identity/principal/principal.ts';
import type { Query } from '../../src/query-log/query.ts';
import type { QueryBody } from '../../src/query-log/query-body.ts';
import { openQueryLog, type QueryLog, type QueryLogOptions } from '../../src/query-log/query-log.ts';
import { createQueryTrail, type QueryFilter } from '../../src/query-log/query-trail.ts';
import { createUuidV7 } from '../../src/store/values/uuid.ts';
import { createAccountWorld } from '../identity/account-world.ts';

/** A query log in a home with accounts; the time is 2026-03-01. */
export interface LogWorld {
  readonly file: string;
  /** An administrator, with access to the log, and a user without access. */
  readonly owner: Principal;
  readonly ada: Principal;
  /** Its warnings. */
  readonly warnings: string[];
  readonly clock: () => Date;
  /** Opens the log, and closes it when the test ends. */
  open(options?: Partial<QueryLogOptions>): QueryLog;
  list(filter?: QueryFilter, who?: Principal): readonly QueryBody[];
  /** The names in a list of entries. */
  names(filter?: QueryFilter): string[];
}

export function createLogWorld(): LogWorld {
  const { home, owner, ada, users, permissions, clock } = createAccountWorld();
  const file = path.join(home, 'queries.db');
  const warnings: string[] = [];
  const warn = (line: string) => void warnings.push(line);
  const trail = createQueryTrail(file, { users, permissions });
  const list: LogWorld['list'] = (filter = {}, who = owner) => trail.list(who, filter);
  return {
    file,
    owner,
    ada,
    warnings,
    clock,
    open(options = {}) {
      const log = openQueryLog({ file, days: 30, clock, warn, ...options });
      onTestFinished(() => log.close());
      return log;
    },
    list,
    names: (filter) => list(filter).map(({ name }) => name),
  };
}

const newId = createUuidV7(() => new Date());

/** An entry requested at `requestedAt`, a time with nanoseconds. */
export function makeQuery(name: string, requestedAt: string, more: Partial<Query> = {}): Query {
  return {
    id: newId(),
    user: 'ada',
    userId: 'id of ada',
    tokenId: null,
    connection: 'duckdb',
    name,
    statement: null,
    requestedAt,
    startedAt: requestedAt,
    endedAt: requestedAt,
    durationMs: 0,
    rows: null,
    bytes: 0,
    outcome: 'done',
    fault: null,
    address: null,
    requestId: null,
    ...more,
  };
}

/** The time this number of milliseconds after midnight of 2026-03-01, with nanoseconds. */
export function at(milliseconds: number): string {
  const date = new Date(Date.UTC(2026, 2, 1) + milliseconds);
  return date.toISOString().replace('Z', '000000Z');
}
