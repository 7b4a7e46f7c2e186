import { DatabaseError, type DatabaseErrorCode } from '../contract/connection.ts';
import type { HttpAnswer } from './http.ts';

const MAX_TEXT = 300;
const UNAUTHORIZED = 401;

/** What a status other than 200 means. */
const MEANINGS: ReadonlyMap<number, readonly [code: DatabaseErrorCode, text: string]> = new Map<
  number,
  readonly [DatabaseErrorCode, string]
>([
  [400, ['sql', 'does not accept the statement']],
  [
    UNAUTHORIZED,
    ['login', 'does not let the user in: check the user and the password, token or certificate'],
  ],
  [403, ['login', 'does not let this user in']],
  [404, ['unreachable', 'does not know the query any longer, or is not a Trino server']],
  [410, ['unreachable', 'has dropped the rows that were to be read next']],
  [413, ['sql', 'does not accept a statement of this length']],
  [431, ['sql', 'does not accept settings and prepared statements of this length']],
  [429, ['unreachable', 'has too many requests']],
]);

/** A Java exception before a message. */
const EXCEPTION = /^[\w.$]+Exception: /;
/** The start of a message about a right that the user does not have. */
const DENIED = 'Access Denied';

/** The error for an answer with another status than 200; `place` is the address of the server. */
export function describeStatus({ status, body, headers }: HttpAnswer, place: string): DatabaseError {
  const line = toLine(body).replace(EXCEPTION, '');
  if (status !== UNAUTHORIZED && line.startsWith(DENIED)) return new DatabaseError('sql', line);
  const [code, text] = MEANINGS.get(status) ?? ['unreachable', 'cannot answer'];
  const detail = headers.location === undefined ? line : `it redirects to ${headers.location}`;
  const message = `${place} ${text} (status ${status})${detail === '' ? '.' : `: ${detail}`}`;
  return new DatabaseError(code, message);
}

/** The first line of a body that is text. */
function toLine(body: Buffer): string {
  const text = body.toString('utf8', 0, 4 * MAX_TEXT).trim();
  if (text.startsWith('<')) return '';
  const [line = ''] = text.split('\n');
  return line.slice(0, MAX_TEXT);
}
