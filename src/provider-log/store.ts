import { present } from '../invariants/must.ts';
import type { SideDatabase } from '../store/side-database.ts';
import { toTimestamp } from '../store/values/clock.ts';
import type { PreparedStatements } from '../store/values/statements.ts';
import { type Condition, toWhere } from '../store/values/where.ts';
import type { ScimOutcome } from './entries.ts';
import type { ScimRequestBody, SsoFailureBody } from './provider-log-body.ts';

/** What a row has beyond an entry of a response: null, or the hour and the network whose requests the row counts. */
interface Bucketed {
  readonly bucket: string | null;
}
export type ScimRequestRow = ScimRequestBody & Bucketed;
type SsoFailureRow = SsoFailureBody & Bucketed;

/** The conditions on entries, and the id that they follow in the list. */
interface PageCondition {
  readonly after?: string | undefined;
  readonly limit: number;
}
export interface RequestCondition extends PageCondition {
  readonly outcome?: ScimOutcome | undefined;
  /** A part of the token's name, the path, the error, the address or the body, ignoring the case of ASCII letters. */
  readonly q?: string | undefined;
}
export interface FailureCondition extends PageCondition {
  readonly reference?: string | undefined;
  /** Only entries since this time. */
  readonly since: Date;
}

/** How many entries are kept: those of requests with a token or signature, and the counted others. */
export interface Kept {
  readonly proven: number;
  readonly counted: number;
}

const DAY_MS = 86_400_000;

/** The oldest failed sign-in that is kept. */
export function toOldestFailure(now: Date): Date {
  return new Date(now.getTime() - 30 * DAY_MS);
}

/** Writes the rows of the log of identity providers; with `findRequests` and `findFailures` the only code with their SQL. */
export interface ProviderLogStore {
  /** Adds entries, or counts them, in one transaction, and deletes the oldest beyond `kept`. */
  insertRequests(rows: readonly ScimRequestRow[], kept: Kept): void;
  /** As `insertRequests`, and deletes entries before `oldest`. Returns the reference of the entry. */
  insertFailure(row: SsoFailureRow, kept: Kept, oldest: Date): string;
  close(): void;
}

const INSERT_REQUEST = `
  INSERT INTO scim_requests
    (id, bucket, at, last_at, count, outcome, token, token_name, address, method, path, status, scim_type, detail,
     duration_ms, request_id, is_cut, body)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (bucket) DO UPDATE SET
    last_at = excluded.last_at, count = count + excluded.count, address = excluded.address, method = excluded.method,
    path = excluded.path, status = excluded.status, detail = excluded.detail, duration_ms = excluded.duration_ms,
    request_id = excluded.request_id
`;

const INSERT_FAILURE = `
  INSERT INTO sso_failures
    (id, reference, bucket, at, last_at, count, provider, failed_check, detail, address, name_id, email)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (bucket) DO UPDATE SET
    last_at = excluded.last_at, count = count + excluded.count, failed_check = excluded.failed_check,
    detail = excluded.detail, address = excluded.address
  RETURNING reference
`;

/** The log in an open database. */
export function createProviderLogStore({ statement, write, close }: SideDatabase): ProviderLogStore {
  function trim(table: string, { proven, counted }: Kept): void {
    const before = (condition: string) =>
      `DELETE FROM ${table} WHERE bucket ${condition} AND id <= (SELECT id FROM ${table} WHERE bucket ${condition} ORDER BY id DESC LIMIT 1 OFFSET ?)`;
    statement(before('IS NULL')).run(proven);
    statement(before('IS NOT NULL')).run(counted);
  }
  return {
    insertRequests: (rows, kept) =>
      write(() => {
        for (const row of rows) statement(INSERT_REQUEST).run(...toRequestValues(row));
        trim('scim_requests', kept);
      }),
    insertFailure: (row, kept, oldest) =>
      write(() => {
        const added = statement<{ reference: string }>(INSERT_FAILURE).get(...toFailureValues(row));
        statement('DELETE FROM sso_failures WHERE last_at < ?').run(toTimestamp(oldest));
        trim('sso_failures', kept);
        return present(added).reference;
      }),
    close,
  };
}

/** The requests that meet the conditions, newest first, and their number. The caller checks the right to see them. */
export function findRequests(
  database: PreparedStatements,
  condition: RequestCondition,
): { readonly data: ScimRequestBody[]; readonly total: number } {
  const { outcome, q } = condition;
  const conditions: Condition[] = [];
  if (outcome !== undefined) conditions.push(['outcome = ?', outcome]);
  if (q !== undefined && q !== '') conditions.push([`(${CONTAINS.join(' OR ')})`, ...CONTAINS.map(() => q)]);
  const columns = `id, at, last_at, count, outcome, token, token_name, address, method, path, status, scim_type, detail, duration_ms,
    request_id, body, is_cut`;
  type Row = Omit<ScimRequestBody, 'body_cut'> & { readonly is_cut: number };
  const { rows, total } = findPage<Row>(database, ['scim_requests', columns], conditions, condition);
  return { data: rows.map(({ is_cut, ...row }) => ({ ...row, body_cut: is_cut === 1 })), total };
}

const CONTAINS = ['token_name', 'address', 'method', 'path', 'scim_type', 'detail', 'body'].map(
  (name) => `instr(lower(${name}), lower(?)) > 0`,
);

/** The failed sign-ins that meet the conditions, newest first, and their number. */
export function findFailures(
  database: PreparedStatements,
  condition: FailureCondition,
): { readonly data: SsoFailureBody[]; readonly total: number } {
  const { reference, since } = condition;
  const conditions: Condition[] = [['last_at >= ?', toTimestamp(since)]];
  if (reference !== undefined) conditions.push(['reference = ?', reference]);
  const columns =
    'id, reference, at, last_at, count, provider, failed_check AS "check", detail, address, name_id, email';
  const { rows, total } = findPage<SsoFailureBody>(
    database,
    ['sso_failures', columns],
    conditions,
    condition,
  );
  return { data: rows, total };
}

function findPage<Row>(
  { statement }: PreparedStatements,
  [table, columns]: readonly [table: string, columns: string],
  conditions: readonly Condition[],
  { after, limit }: PageCondition,
): { readonly rows: Row[]; readonly total: number } {
  const all = toWhere(conditions);
  const next = toWhere(after === undefined ? conditions : [...conditions, ['id < ?', after]]);
  const count = statement<{ n: number }>(`SELECT count(*) AS n FROM ${table} ${all.text}`);
  const page = statement<Row>(`SELECT ${columns} FROM ${table} ${next.text} ORDER BY id DESC LIMIT ?`);
  return {
    rows: page.all(...next.values, limit),
    total: present(count.get(...all.values)).n,
  };
}

function toRequestValues(row: ScimRequestRow) {
  return [
    row.id,
    row.bucket,
    row.at,
    row.last_at,
    row.count,
    row.outcome,
    row.token,
    row.token_name,
    row.address,
    row.method,
    row.path,
    row.status,
    row.scim_type,
    row.detail,
    row.duration_ms,
    row.request_id,
    row.body_cut ? 1 : 0,
    row.body,
  ];
}

function toFailureValues(row: SsoFailureRow) {
  return [
    row.id,
    row.reference,
    row.bucket,
    row.at,
    row.last_at,
    row.count,
    row.provider,
    row.check,
    row.detail,
    row.address,
    row.name_id,
    row.email,
  ];
}
