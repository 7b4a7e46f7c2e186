import { DatabaseError, type DatabaseErrorCode } from '../../contract/connection.ts';

/** An error report of DuckDB; `position` counts characters of the statement in errors of the parser, else bytes. */
interface Report {
  readonly exception_type: string;
  readonly exception_message: string;
  readonly position?: string;
  /** The text at the position, if DuckDB reports it. */
  readonly name?: string;
  readonly errno?: string;
}

/** Other transaction errors have the same type. */
const CONFLICT =
  /^TransactionContext Error: .*(?:\bconflict\b|\banother transaction\b|\bhas been (?:deleted|altered)\b)/is;
const NO_SPACE = ['28', '122'];

/** The error of a statement that was cancelled on request. */
export function createCancelled(): DatabaseError {
  return new DatabaseError('cancelled', 'The statement was cancelled.');
}

/** The error of a statement that would exceed the quota; `name` is the name of the connection. */
export function createDatabaseFull(name: string): DatabaseError {
  return new DatabaseError('quota', `The database ${name} is full`);
}

/**
 * Converts an engine error for `statement`, which the engine received after `prefix`. Other values become errors with
 * the same message.
 */
export function toDatabaseError(cause: unknown, statement: string, prefix = ''): DatabaseError {
  const text = cause instanceof Error ? cause.message : String(cause);
  const report = readReport(text);
  const options = { cause };
  if (report === null) {
    return new DatabaseError(findCodeOfText(text), withoutPicture(text), undefined, options);
  }
  const message = withoutSystemName(`${report.exception_type} Error: ${report.exception_message}`);
  return new DatabaseError(findCode(report), message, findOffset(report, statement, prefix), options);
}

/** The error type of DuckDB (`Parser`, `TransactionContext`); '' if there is no type. */
export function findErrorType(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause);
  return readReport(text)?.exception_type ?? /^(\w+(?: \w+)*) Error: /.exec(text)?.[1] ?? '';
}

/** Errors are JSON, with or without `Parser Error: ` or `Failed to append: ` before it; some, such as those of a commit, are plain text. */
function readReport(text: string): Report | null {
  const json = /^(?:[\w ]+ Error: |Failed to \w+: )?(\{.*\})$/s.exec(text)?.[1];
  if (json === undefined) return null;
  try {
    const report: unknown = JSON.parse(json);
    return isReport(report) ? report : null;
  } catch {
    return null;
  }
}

function isReport(value: unknown): value is Report {
  return (
    typeof value === 'object' && value !== null && 'exception_type' in value && 'exception_message' in value
  );
}

function findCode({ exception_type, exception_message, errno }: Report): DatabaseErrorCode {
  if (exception_type === 'INTERRUPT') return 'cancelled';
  if (NO_SPACE.includes(errno ?? '')) return 'full';
  return findCodeOfText(`${exception_type} Error: ${exception_message}`);
}

function findCodeOfText(text: string): DatabaseErrorCode {
  if (isFull(text)) return 'full';
  return CONFLICT.test(text) ? 'conflict' : 'sql';
}

function isFull(text: string): boolean {
  return /No space left on device|Disk quota exceeded/.test(text);
}

/**
 * Converts a position to UTF-16. The position of an error inside a view or a prepared statement refers to its own text: if
 * the reported name is not at that position, there is no offset.
 */
function findOffset(
  { exception_type, position, name }: Report,
  statement: string,
  prefix: string,
): number | undefined {
  if (position === undefined) return undefined;
  const convert = exception_type === 'Parser' ? fromCharacters : fromBytes;
  const offset = convert(`${prefix}${statement}`, Number(position)) - prefix.length;
  if (!(offset >= 0 && offset <= statement.length)) return undefined;
  const textAtOffset = statement.slice(offset, offset + 1000).toLowerCase();
  return name === undefined || textAtOffset.includes(name.toLowerCase()) ? offset : undefined;
}

/** The offset in UTF-16 of a number of bytes; NaN behind the end of the text. */
function fromBytes(text: string, position: number): number {
  const bytes = Buffer.from(text);
  return position <= bytes.length ? bytes.toString('utf8', 0, position).length : Number.NaN;
}

/** The same of a number of characters (code points). */
function fromCharacters(text: string, position: number): number {
  let offset = 0;
  for (let left = position; left > 0 && offset < text.length; left -= 1) {
    offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  }
  return offset;
}

/** A suggested name of the system's catalog. */
const SYSTEM_NAME = /\n?Did you mean "((?:pg|duckdb|sqlite|pragma|information_schema)[_.])[^"\n]*"\?/;

/** Removes the suggestion of an object of the system, unless the missing name is similar to the names of such objects. */
function withoutSystemName(message: string): string {
  const [suggestion, prefix] = SYSTEM_NAME.exec(message) ?? [];
  if (suggestion === undefined || prefix === undefined) return message;
  const isMeant = message.replace(suggestion, '').toLowerCase().includes(prefix);
  return isMeant ? message : message.replace(suggestion, '');
}

/** Removes the rendering of the position that DuckDB adds to a plain message. */
function withoutPicture(text: string): string {
  return text.replace(/\n\nLINE \d+: [^\n]*\n *\^[^\n]*\s*$/, '');
}

/** Why a file could not be opened: `locked` names the process that uses it, all other errors are `unreachable`. */
export function toOpenError(cause: unknown, file: string): DatabaseError {
  const text = cause instanceof Error ? cause.message : String(cause);
  const options = { cause };
  const holder =
    /Conflicting lock is held in (.+?) \(PID (\d+)\)/s.exec(text) ??
    /File is already open in\s+(.+?) \(PID (\d+)\)/s.exec(text);
  if (holder !== null) {
    const message = `The database file "${file}" is in use by another process: ${holder[1]} (PID ${holder[2]}).`;
    return new DatabaseError('locked', message, undefined, options);
  }
  if (/Could not set lock on file/.test(text)) {
    return new DatabaseError(
      'locked',
      `The database file "${file}" is in use by another process.`,
      undefined,
      options,
    );
  }
  const { code, message } = toDatabaseError(cause, '');
  return new DatabaseError(code === 'full' ? code : 'unreachable', message, undefined, options);
}

/** Why a file could not be copied; `reason` is the system's message after its code. */
export function toCopyError(file: string, reason: string): DatabaseError {
  const isFull = /^(?:ENOSPC|EDQUOT|EFBIG) /.test(reason);
  return new DatabaseError(
    isFull ? 'full' : 'unreachable',
    `The file "${file}" cannot be copied: ${reason}.`,
  );
}
