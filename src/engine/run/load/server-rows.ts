import { quoteName, quoteText } from '../../text/sql-quote.ts';
import { type ServerKind, toServerType } from './server-types.ts';

/** A column of rows to insert: its name and its type in DuckDB. */
export interface InsertedColumn {
  readonly name: string;
  readonly type: string;
}

/**
 * A query for the rows of a query as text: for PostgreSQL a line of COPY, otherwise a list of literals in parentheses, in
 * the SQL of a database.
 */
export function printRowTexts(kind: ServerKind, query: string, columns: readonly InsertedColumn[]): string {
  if (kind === 'postgresql') {
    const values = columns.map((column) => `coalesce(${printCopied(column)}, '\\N')`);
    return `SELECT concat_ws(chr(9), ${values.join(', ')}) AS r FROM (${query})`;
  }
  const literals = columns.map((column) => `coalesce(${printLiteral(kind, column)}, 'NULL')`);
  return `SELECT '(' || concat_ws(', ', ${literals.join(', ')}) || ')' AS r FROM (${query})`;
}

/** Types whose texts have no character that COPY would read in another way. */
const PLAIN = /^(?:BOOLEAN|U?(?:TINY|SMALL|BIG|HUGE)INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL.*|DATE|TIME.*|UUID)$/;

/** An expression of DuckDB for a value in a line of COPY. */
function printCopied({ name, type }: InsertedColumn): string {
  const value = quoteName(name);
  if (type === 'BLOB') return `'\\\\x' || hex(${value})`;
  const text = printTextOf('postgresql', value, type);
  if (PLAIN.test(type) && !type.endsWith(']')) return text;
  const escapes = [
    [quoteText('\\'), quoteText('\\\\')],
    ['chr(9)', quoteText('\\t')],
    ['chr(10)', quoteText('\\n')],
    ['chr(13)', quoteText('\\r')],
  ];
  return escapes.reduce((inner, [from, to]) => `replace(${inner}, ${from}, ${to})`, text);
}

/** An expression of DuckDB for the literal of a value in the SQL of a database. */
function printLiteral(kind: ServerKind, { name, type }: InsertedColumn): string {
  const value = quoteName(name);
  if (type === 'BLOB') return `'X''' || hex(${value}) || ''''`;
  const text = printTextOf(kind, value, type);
  const quoted = printQuoted(text);
  if (kind === 'mysql') {
    // The meaning of a backslash depends on the mode of the session.
    return `CASE WHEN contains(${text}, '\\') OR contains(${text}, chr(0)) THEN '_utf8mb4 X''' || hex(${text}) || '''' ELSE ${quoted} END`;
  }
  const serverType = toServerType(kind, type);
  return serverType === 'varchar' ? quoted : `'CAST(' || ${quoted} || ${quoteText(` AS ${serverType})`)}`;
}

function printQuoted(text: string): string {
  return `'''' || replace(${text}, '''', '''''') || ''''`;
}

/** Whether a type is one of several values. */
function isNested(type: string): boolean {
  return /^(?:STRUCT|MAP)\(|\]$/.test(type);
}

function printTextOf(kind: ServerKind, value: string, type: string): string {
  if (isNested(type)) return `CAST(to_json(${value}) AS VARCHAR)`;
  if (type === 'BOOLEAN' && kind === 'mysql')
    return `CASE WHEN ${value} THEN '1' WHEN NOT ${value} THEN '0' END`;
  if (type === 'TIMESTAMP WITH TIME ZONE' && kind !== 'postgresql') {
    const utc = `CAST((${value} AT TIME ZONE 'UTC') AS VARCHAR)`;
    return kind === 'mysql' ? utc : `${utc} || ' UTC'`;
  }
  return `CAST(${value} AS VARCHAR)`;
}
