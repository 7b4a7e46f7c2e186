import { printCount } from '../../../../invariants/print-count.ts';
import { suggest } from '../../../../text/suggest.ts';
import { DatabaseError } from '../../contract/connection.ts';

/** The reason why a statement may not run on a server, and its position in the text (UTF-16 offset). */
export interface GateDiagnostic {
  readonly message: string;
  readonly offset: number;
  /** Whether no database can read the text as a statement, so that it is wrong also outside a server. */
  readonly isUnreadable?: true;
}

/** A refused text that no database can read as a statement. */
export class UnreadableStatementError extends DatabaseError {}

/** The alternatives to statements that a server refuses, by their first word. */
const ADVICE: Readonly<Record<string, string>> = {
  attach: 'add the other database as a separate connection',
  call: 'read the rows of a function with FROM',
  checkpoint: 'the database does it by itself',
  copy: 'publish the rows with `:publication`, or request the result in the format that you need',
  deallocate: 'run one statement with `bind`, which binds values to its placeholders',
  detach: 'leave it out',
  execute: 'run one statement with `bind`, which binds values to its placeholders',
  export: 'use `quern admin backup` to back up a home',
  import: 'use `quern load` to load files into tables',
  load: 'the server has the extensions that it needs',
  install: 'the server has the extensions that it needs',
  pragma: 'settings are the same for all users; FROM pragma_table_info(…) and similar functions return rows',
  prepare: 'run one statement with `bind`, which binds values to its placeholders',
  reset: 'settings are the same for all users',
  set: 'settings are the same for all users; SET VARIABLE is allowed',
  truncate: 'DELETE FROM without WHERE does the same',
  vacuum: 'the database does it by itself',
};

const ON_SERVER = 'is not allowed on a server';

/** The error of a statement that was refused. */
export function createGateError({ message, offset, isUnreadable }: GateDiagnostic): DatabaseError {
  const Refusal = isUnreadable === true ? UnreadableStatementError : DatabaseError;
  return new Refusal('gate', message, offset);
}

/** The diagnostics, one entry for each reason (docs/reference/server-sql.md#statements-functions-and-files). */
export const gateDiagnostics = {
  statement: (word: string, offset: number): GateDiagnostic => {
    const advice = ADVICE[word];
    return {
      message: `${word.toUpperCase()} ${ON_SERVER}${advice === undefined ? '' : `: ${advice}`}`,
      offset,
    };
  },
  setting: (name: string, offset: number): GateDiagnostic =>
    name === 'timezone' || name === 'time'
      ? { message: `a script cannot set the time zone of a server: use AT TIME ZONE`, offset }
      : gateDiagnostics.statement('set', offset),
  beginning: (text: string, beginnings: readonly string[], offset: number): GateDiagnostic => {
    const near = suggest(text, beginnings);
    const hint = near === undefined ? '' : `; did you mean \`${near.toUpperCase()}\`?`;
    const message = `a server supports no statement that starts with \`${text}\`${hint}`;
    return { message, offset, isUnreadable: true };
  },
  object: (verb: string, kind: string, offset: number): GateDiagnostic => ({
    message: `${verb.toUpperCase()} ${kind.toUpperCase()} ${ON_SERVER}`.replace('  ', ' '),
    offset,
  }),
  long: (max: number, offset: number): GateDiagnostic => ({
    message: `a statement on a server may not have more than ${printCount(max)} tokens: split it, or load the data from a file`,
    offset,
  }),
  several: (offset: number): GateDiagnostic => ({
    message: 'a statement ends here, and another one starts',
    offset,
  }),
  loose: (offset: number): GateDiagnostic => ({
    message: 'this quote, comment or bracket is not closed or not opened',
    offset,
    isUnreadable: true,
  }),
  space: (offset: number): GateDiagnostic => ({
    message: 'this character is not a space in every program: write a plain space',
    offset,
  }),
  notQuery: (offset: number): GateDiagnostic => ({ message: 'only a query is allowed here', offset }),
  called: (name: string, offset: number): GateDiagnostic => ({
    message: `the function ${name} ${ON_SERVER}`,
    offset,
  }),
  named: (name: string, offset: number): GateDiagnostic => ({ message: `\`${name}\` ${ON_SERVER}`, offset }),
  shown: (setting: string, offset: number): GateDiagnostic => ({
    message:
      setting === ''
        ? `current_setting needs one string literal on a server`
        : `current_setting('${setting}') ${ON_SERVER}`,
    offset,
  }),
  barred: (name: string, reason: string, offset: number): GateDiagnostic => ({
    message: `\`${name}\` ${ON_SERVER}, because of its definition: ${reason}`,
    offset,
  }),
  reader: (name: string, offset: number): GateDiagnostic => ({
    message: `the path for ${name} must be a string literal or a list of string literals on a server`,
    offset,
  }),
  literal: (offset: number): GateDiagnostic => ({
    message: 'the name of a file must be a string literal on a server',
    offset,
  }),
  outside: (path: string, offset: number): GateDiagnostic => ({
    message: `a server only reads files in its file folder, and \`${path}\` is outside`,
    offset,
  }),
  missing: (path: string, offset: number): GateDiagnostic => ({
    message: `there is no \`${path}\` in the file folder of the server`,
    offset,
  }),
  database: (path: string, offset: number): GateDiagnostic => ({
    message: `\`${path}\` is a database: add it as a separate connection`,
    offset,
  }),
} as const;

/** The engine parsed a statement differently from the gate. */
export function createMisread(): DatabaseError {
  return new DatabaseError(
    'gate',
    `this statement ${ON_SERVER}: the database reads it as another kind of statement`,
  );
}

/** A server's folder that cannot be used. */
export function createNoFolder(folder: string, cause: unknown): DatabaseError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new DatabaseError('unreachable', `The folder "${folder}" cannot be used: ${reason}`, undefined, {
    cause,
  });
}
