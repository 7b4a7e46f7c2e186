import { DatabaseError, type DatabaseErrorCode } from '../contract/connection.ts';
import type { ErrorPacket } from './messages.ts';
import { findVerb, listWords } from './statement.ts';

/** Numbers of errors that quote a name of the statement: a column, table, view or function. */
const NAMING = new Set([1049, 1051, 1052, 1054, 1060, 1091, 1109, 1146, 1176, 1305, 1347, 1356, 1630, 4161]);
const SYNTAX = 1064;
/** The end of a server's syntax error, with an optional pointer to the manual before it. */
const NEAR = /(?:; check the manual [^']*?)? near '([\s\S]*)' at line (\d+)$/;
/** A server quotes about 80 bytes of the statement, followed by this when it is longer. */
const CUT = '...';
const QUOTED = 40;

/** An error message, and its UTF-16 offset in the statement; undefined if unknown. */
interface PlacedError {
  readonly message: string;
  readonly offset: number | undefined;
}

/** Finds the position of an error from the server's message. */
function placeError({ errno, message }: ErrorPacket, statement: string): PlacedError {
  if (errno === SYNTAX) {
    const placedError = placeSyntaxError(message, statement);
    return { ...placedError, message: placedError.message + adviseOn(statement) };
  }
  if (!NAMING.has(errno)) return { message, offset: undefined };
  const name =
    /[`'](.+?)[`'](?: |$)/.exec(message)?.[1] ?? /^(?:FUNCTION|PROCEDURE) (\S+)/.exec(message)?.[1];
  const offset = name === undefined ? undefined : findName(name.split(/[`'"]?\.[`'"]?/), statement);
  return { message, offset };
}

/** Advice on statements that clients and routines accept, but the server does not; empty for other statements. */
function adviseOn(statement: string): string {
  switch (findVerb(statement)) {
    case 'delimiter':
      return ': `DELIMITER` is a command of the mysql client; leave it out, and end each routine with `;`';
    case 'if':
      return ': outside a routine, MariaDB needs `BEGIN NOT ATOMIC IF … END IF; END`';
    default:
      return '';
  }
}

/** If the position is known, the server's rendering of it is removed from the message. */
function placeSyntaxError(message: string, statement: string): PlacedError {
  const [whole, near, line] = NEAR.exec(message) ?? [];
  const offset = whole === undefined ? undefined : findSyntaxPlace(near!, Number(line), statement);
  if (offset === undefined) return { message, offset };
  const [shown = ''] = near!.split('\n');
  const at = shown === '' ? 'at the end' : `near '${shown}'`;
  return { message: `${message.slice(0, -whole!.length)} ${at}`, offset };
}

function findSyntaxPlace(near: string, line: number, statement: string): number | undefined {
  const isCut = near.length >= QUOTED && near.endsWith(CUT);
  const quoted = isCut ? near.slice(0, -CUT.length) : near.trimEnd();
  // Without the mark, the quoted text reaches to the end of the statement.
  const pattern = new RegExp(`${toPattern(quoted)}${isCut ? '' : '\\s*$'}`, 'gu');
  const places = [...statement.matchAll(pattern)].map(({ index }) => index);
  const from = findLine(statement, line);
  return places.find((offset) => offset >= from) ?? places.at(-1);
}

/** Servers print a question mark for unprintable characters. */
function toPattern(quoted: string): string {
  return quoted.replace(/[\\^$.*+()[\]{}|/]/g, '\\$&').replace(/[?\ufffd]/g, '[^]');
}

/** The offset of a line; the first line is 1. */
function findLine(statement: string, line: number): number {
  let offset = 0;
  for (let left = line - 1; left > 0; left -= 1) {
    const end = statement.indexOf('\n', offset);
    if (end === -1) return offset;
    offset = end + 1;
  }
  return offset;
}

/** The first position of a name, including its qualifiers; an unqualified position is preferred. */
function findName(parts: readonly string[], statement: string): number | undefined {
  const words = [...listWords(statement)].filter(({ kind }) => kind !== 'string');
  const isAt = (path: readonly string[], at: number) =>
    path.every((part, k) => {
      const isSame = words[at + 2 * k]?.text.toLowerCase() === part.toLowerCase();
      return isSame && (k === 0 || words[at + 2 * k - 1]?.text === '.');
    });
  for (let from = 0; from < parts.length; from += 1) {
    const path = parts.slice(from);
    const places = words.flatMap(({ start }, i) =>
      isAt(path, i) ? [{ start, last: i + 2 * path.length - 2 }] : [],
    );
    const match = places.find(({ last }) => words[last + 1]?.text !== '.') ?? places[0];
    if (match !== undefined) return match.start;
  }
  return undefined;
}

/** The statement was cancelled on request. */
export const INTERRUPTED = 1317;
/** The server has rolled back the whole transaction. */
export const DEADLOCK = 1213;
/** The statement is empty, or has only comments. */
const EMPTY = 1065;
/** Error numbers that are not a mistake in a statement. */
const CODES: ReadonlyMap<number, DatabaseErrorCode> = new Map<number, DatabaseErrorCode>([
  [1021, 'full'],
  [1114, 'full'],
  [1045, 'login'],
  // A lock timeout, and a deadlock.
  [1205, 'conflict'],
  [1213, 'conflict'],
  [1698, 'login'],
  [1820, 'login'],
  [1862, 'login'],
  [1040, 'unreachable'],
  [1053, 'unreachable'],
  [1129, 'unreachable'],
  [1130, 'unreachable'],
  [1203, 'unreachable'],
  [1226, 'unreachable'],
  [1927, 'unreachable'],
  [4031, 'unreachable'],
]);

/** Converts a server error for a statement. */
export function toDatabaseError(error: ErrorPacket, statement: string, isLate = false): DatabaseError {
  const mappedCode = CODES.get(error.errno) ?? 'sql';
  const errorCode = isLate && (mappedCode === 'sql' || mappedCode === 'conflict') ? 'late' : mappedCode;
  const { message, offset } = placeError(error, statement);
  return new DatabaseError(errorCode, message, offset, { cause: error });
}

/** Whether the statement was empty. */
export function isEmptyStatement(error: unknown): boolean {
  return hasNumber(error, EMPTY);
}

/** Whether an error is the server's error of this number. */
export function hasNumber(error: unknown, errno: number): boolean {
  if (!(error instanceof DatabaseError)) return false;
  return (error.cause as ErrorPacket | undefined)?.errno === errno;
}
