import { quoteName, quoteText } from '../../text/sql-quote.ts';
import { type ServerKind, toServerType } from './server-types.ts';

/** A column of rows to insert: its name and its type in DuckDB. */
export interface InsertedColumn {
  readonly name: string;
  readonly type: string;
}

/** A query for the rows of a query as text: a list of literals in parentheses, in the SQL of a database. */
export function printRowTexts(kind: ServerKind, query: string, columns: readonly InsertedColumn[]): string {
  const literals = columns.map((column) => `coalesce(${printLiteral(kind, column)}, 'NULL')`);
  return `SELECT '(' || concat_ws(', ', ${literals.join(', ')}) || ')' AS r FROM (${query})`;
}

/** An expression of DuckDB for the literal of a value in the SQL of a database. */
function printLiteral(kind: ServerKind, { name, type }: InsertedColumn): string {
  const value = quoteName(name);
  if (type === 'BLOB') return printBytes(kind, value);
  const text = printTextOf(kind, value, type);
  const quoted = printQuoted(text);
  switch (kind) {
    case 'postgresql':
      return `CASE WHEN contains(${text}, '\\') THEN 'E' || replace(${quoted}, '\\', '\\\\') ELSE ${quoted} END`;
    case 'mysql':
      // The meaning of a backslash depends on the mode of the session.
      return `CASE WHEN contains(${text}, '\\') OR contains(${text}, chr(0)) THEN '_utf8mb4 X''' || hex(${text}) || '''' ELSE ${quoted} END`;
    default: {
      const serverType = toServerType(kind, type);
      return serverType === 'varchar' ? quoted : `'CAST(' || ${quoted} || ${quoteText(` AS ${serverType})`)}`;
    }
  }
}

function printQuoted(text: string): string {
  return `'''' || replace(${text}, '''', '''''') || ''''`;
}

function printBytes(kind: ServerKind, value: string): string {
  return kind === 'postgresql' ? `'E''\\\\x' || hex(${value}) || ''''` : `'X''' || hex(${value}) || ''''`;
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
