import { randomBytes } from 'node:crypto';
import type { Database } from '../../store/database.ts';
import { toTimestamp } from '../../store/values/clock.ts';
import { type AccountContext, asManager } from '../context/account-context.ts';
import type { Principal } from '../principal/principal.ts';
import { signOnErrors } from './errors.ts';
import type { ProvenIdentity } from './proven-identity.ts';
import type { SignOnTestBody, TestOutcome } from './test-body.ts';

/**
 * Test sign-ins: they show an administrator what a provider sends, and start no session
 * (docs/reference/saml-sign-in.md#test-sign-ins).
 */
export interface SignOnTests {
  /** Starts a test, which waits ten minutes for its sign-in. Throws 403. */
  create(principal: Principal, provider: ProvenIdentity['provider']): SignOnTestBody;
  /** A test that the principal started. Throws 403, and 404 for an expired test. */
  get(principal: Principal, id: string): SignOnTestBody;
  /** Whether a test waits for its sign-in. Checks no permission. */
  isWaiting(id: string): boolean;
  /** Stores the outcome of a test that waits; otherwise does nothing. */
  finish(id: string, outcome: TestOutcome): void;
}

const LIFETIME_MS = 10 * 60_000;
const MAX_WAITING = 20;

interface TestRow {
  readonly id: string;
  readonly outcome: string | null;
  readonly created_at: string;
  readonly expires_at: string;
}

/** The test sign-ins of an open database. */
export function createSignOnTests(context: AccountContext): SignOnTests {
  const { clock, audit } = context;
  const rows = createTestRows(context.database);
  return {
    create: (principal, provider) =>
      asManager(context, principal, 'write', () => {
        const now = clock();
        const row: TestRow = {
          id: randomBytes(16).toString('base64url'),
          outcome: null,
          created_at: toTimestamp(now),
          expires_at: toTimestamp(new Date(now.getTime() + LIFETIME_MS)),
        };
        rows.deleteOld(row.created_at, principal.userId);
        rows.insert(row, provider, principal.userId);
        audit.record(principal, { action: 'sso.test', object: provider });
        return toBody(row);
      }),
    get: (principal, id) =>
      asManager(context, principal, 'read', () => {
        const row = rows.find(id, toTimestamp(clock()), principal.userId);
        if (row === undefined) throw signOnErrors.testNotFound(id.slice(0, 100));
        return toBody(row);
      }),
    isWaiting: (id) => context.database.read(() => rows.isWaiting(id, toTimestamp(clock()))),
    finish: (id, outcome) =>
      context.database.write(() => rows.finish(id, JSON.stringify(outcome), toTimestamp(clock()))),
  };
}

/** The rows of test sign-ins: the only place with their SQL. Callers hold the transaction. */
function createTestRows({ statement }: Database) {
  const deleteOldest = `
    DELETE FROM test_sign_ins WHERE creator_id = ? AND id NOT IN (
      SELECT id FROM test_sign_ins WHERE creator_id = ? ORDER BY created_at DESC, id LIMIT ?
    )
  `;
  const insert = `
    INSERT INTO test_sign_ins (id, provider, creator_id, outcome, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)
  `;
  return {
    deleteOld: (now: string, creatorId: string): void => {
      statement('DELETE FROM test_sign_ins WHERE expires_at <= ?').run(now);
      statement(deleteOldest).run(creatorId, creatorId, MAX_WAITING - 1);
    },
    insert: (row: TestRow, provider: string, creatorId: string): void => {
      statement(insert).run(row.id, provider, creatorId, row.outcome, row.created_at, row.expires_at);
    },
    find: (id: string, now: string, creatorId: string) =>
      statement<TestRow>(
        'SELECT * FROM test_sign_ins WHERE id = ? AND expires_at > ? AND creator_id = ?',
      ).get(id, now, creatorId),
    isWaiting: (id: string, now: string): boolean =>
      statement('SELECT 1 FROM test_sign_ins WHERE id = ? AND expires_at > ? AND outcome IS NULL').get(
        id,
        now,
      ) !== undefined,
    finish: (id: string, outcome: string, now: string): void => {
      const sql = 'UPDATE test_sign_ins SET outcome = ? WHERE id = ? AND expires_at > ? AND outcome IS NULL';
      statement(sql).run(outcome, id, now);
    },
  };
}

function toBody({ id, outcome, created_at, expires_at }: TestRow): SignOnTestBody {
  const status = outcome === null ? 'waiting' : 'finished';
  return { id, status, outcome: outcome === null ? null : JSON.parse(outcome), created_at, expires_at };
}
