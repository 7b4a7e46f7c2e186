import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '../../../store/database.ts';
import { type Clock, toTimestamp } from '../../../store/values/clock.ts';

/** The time that an identity provider may take to respond, in milliseconds. */
const LIFETIME_MS = 15 * 60_000;
/** The maximum number of pending requests, for one network and in total; the oldest ones are deleted. */
const MAX_OF_NETWORK = 1_000;
const MAX_REQUESTS = 20_000;
const RANDOM_BYTES = 32;
const SHAPE = /^[A-Za-z0-9_-]{43}$/;

/** The reason for sending a browser to an identity provider. */
type RequestPurpose = 'sign-in' | 'test' | 'sign-out';

/** A request to create. */
interface NewRequest {
  readonly provider: string;
  readonly purpose: RequestPurpose;
  /** The path that the browser opens afterwards, on this site. */
  readonly returnPath: string;
  readonly testId?: string | undefined;
  /** The client's network, as for counting failures; null if unknown. */
  readonly network: string | null;
  /** The browser's secret from an earlier request, so that several requests may be pending; undefined if none. */
  readonly browser?: string | undefined;
}

/** A created request. `browser` is a secret for the browser alone; it binds the response to the browser. */
interface MadeRequest {
  readonly id: string;
  readonly browser: string;
}

/** A request whose response has arrived. */
export interface TakenRequest {
  readonly purpose: RequestPurpose;
  readonly returnPath: string;
  readonly testId: string | null;
}

/** Pending requests to identity providers, and used assertions (docs/reference/saml-sign-in.md#request). */
export interface SignInRequests {
  create(request: NewRequest): MadeRequest;
  /**
   * Removes a pending request and returns it, in one statement. Null unless this browser created it and it has not
   * expired.
   */
  take(id: string, provider: string, browser: string | undefined): TakenRequest | null;
  /** The latest test sign-in of a browser; null if none. */
  findTest(provider: string, browser: string | undefined): string | null;
  /**
   * Records the use of an assertion; returns false if it was used before. `expiresAt` is in milliseconds since 1970.
   */
  use(issuer: string, assertionId: string, expiresAt: number): boolean;
}

const INSERT = `
  INSERT INTO sign_in_requests (id, provider, purpose, browser_hash, return_path, test_id, network, created_at, expires_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
`;

const TAKE = `
  DELETE FROM sign_in_requests WHERE id = ? AND provider = ? AND browser_hash = ? AND expires_at > ?
  RETURNING purpose, return_path, test_id
`;

const FIND_TEST = `
  SELECT test_id FROM sign_in_requests
  WHERE provider = ? AND browser_hash = ? AND purpose = 'test' AND expires_at > ? ORDER BY created_at DESC LIMIT 1
`;

const KEEP_OF_NETWORK = `
  DELETE FROM sign_in_requests WHERE id IN (
    SELECT id FROM sign_in_requests WHERE network IS ? ORDER BY created_at DESC, id LIMIT -1 OFFSET ?
  )
`;

const KEEP = `
  DELETE FROM sign_in_requests WHERE id IN (
    SELECT id FROM sign_in_requests ORDER BY expires_at DESC, id DESC LIMIT -1 OFFSET ?
  )
`;

const USE = `
  INSERT INTO used_assertions (issuer, assertion_id, expires_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING
`;

interface TakenRow {
  readonly purpose: RequestPurpose;
  readonly return_path: string;
  readonly test_id: string | null;
}

/** The requests of an open database. */
export function createSignInRequests(database: Database, clock: Clock): SignInRequests {
  const { statement } = database;
  return {
    create: ({ provider, purpose, returnPath, testId, network, browser: known }) =>
      database.write(() => {
        const now = clock();
        statement('DELETE FROM sign_in_requests WHERE expires_at <= ?').run(toTimestamp(now));
        statement(KEEP_OF_NETWORK).run(network, MAX_OF_NETWORK - 1);
        statement(KEEP).run(MAX_REQUESTS - 1);
        // An XML ID begins with a letter or an underscore.
        const id = `_${randomBytes(RANDOM_BYTES).toString('hex')}`;
        const browser = known !== undefined && SHAPE.test(known) ? known : createSecret();
        const times = [toTimestamp(now), toTimestamp(new Date(now.getTime() + LIFETIME_MS))];
        const values = [provider, purpose, toHash(browser), returnPath, testId ?? null, network, ...times];
        statement(INSERT).run(id, ...values);
        return { id, browser };
      }),
    take: (id, provider, browser) =>
      database.write(() => {
        if (browser === undefined) return null;
        const row = statement<TakenRow>(TAKE).get(id, provider, toHash(browser), toTimestamp(clock()));
        return row === undefined
          ? null
          : { purpose: row.purpose, returnPath: row.return_path, testId: row.test_id };
      }),
    findTest: (provider, browser) => {
      if (browser === undefined) return null;
      const values = [provider, toHash(browser), toTimestamp(clock())];
      const find = () => statement<{ test_id: string | null }>(FIND_TEST).get(...values);
      return database.read(find)?.test_id ?? null;
    },
    use: (issuer, assertionId, expiresAt) =>
      database.write(() => {
        statement('DELETE FROM used_assertions WHERE expires_at <= ?').run(toTimestamp(clock()));
        return statement(USE).run(issuer, assertionId, toTimestamp(new Date(expiresAt))) === 1;
      }),
  };
}

function createSecret(): string {
  return randomBytes(RANDOM_BYTES).toString('base64url');
}

/** The stored hash of a browser's secret, which has 256 random bits. */
function toHash(browser: string): string {
  return createHash('sha256').update(browser).digest('hex');
}
