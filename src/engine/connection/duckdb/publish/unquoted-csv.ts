import duckdb from '@duckdb/node-bindings';
import { quoteName, quoteText } from '../../../text/sql-quote.ts';
import { DatabaseError, type FileFormat } from '../../contract/connection.ts';
import type { NativeColumn } from './parquet.ts';

const { Type } = duckdb;
/** Types whose values consist of the characters of `PLAIN_TEXT`. */
const PLAIN: ReadonlySet<duckdb.Type> = new Set([
  Type.BOOLEAN,
  Type.TINYINT,
  Type.SMALLINT,
  Type.INTEGER,
  Type.BIGINT,
  Type.HUGEINT,
  Type.UTINYINT,
  Type.USMALLINT,
  Type.UINTEGER,
  Type.UBIGINT,
  Type.UHUGEINT,
  Type.DECIMAL,
  Type.FLOAT,
  Type.DOUBLE,
  Type.DATE,
  Type.TIME,
  Type.TIMESTAMP,
  Type.TIMESTAMP_TZ,
  Type.UUID,
]);
const PLAIN_TEXT = /[\dA-Za-z+\-.: ()]/;
const LINE_ENDS = '\n\r';
const ADVICE =
  'contains the delimiter or a line end, which the file cannot hold without quotes: add `:quote_char "\\""` to `:options`';
/** The prefix of the engine for errors that a query raises. */
const RAISED = /^Invalid Input Error: (?=the value of `)/;

/**
 * The SQL before and after a query that raises an error for a value that a CSV file without a quote character cannot
 * hold. Throws a DatabaseError for such a name in the header.
 */
export function printChecked(
  columns: readonly NativeColumn[],
  { delimiter, quote, header }: Extract<FileFormat, { readonly type: 'csv' }>,
): readonly [before: string, after: string] {
  const separators = [...delimiter, ...LINE_ENDS];
  const bad = columns.find(({ name }) => separators.some((separator) => name.includes(separator)));
  if (header && quote === '' && bad !== undefined) {
    throw new DatabaseError('sql', `the name of the column \`${bad.name}\` ${ADVICE}`);
  }
  const isPlain = ({ logical }: NativeColumn) =>
    PLAIN.has(duckdb.get_type_id(logical)) && !PLAIN_TEXT.test(delimiter);
  if (quote !== '' || columns.every(isPlain)) return ['', ''];
  const expressions = columns.map((column, i) => {
    const value = isPlain(column) ? `c${i}` : printValue(column.name, `c${i}`, separators);
    return `${value} AS ${quoteName(column.name)}`;
  });
  return [
    `SELECT ${expressions.join(', ')} FROM (SELECT *, row_number() OVER () AS quern_row FROM (`,
    `) AS quern_rows (${columns.map((_, i) => `c${i}`).join(', ')})) AS quern_numbered`,
  ];
}

function printValue(name: string, value: string, separators: readonly string[]): string {
  const codes = separators.map((separator) => `\\x${separator.charCodeAt(0).toString(16).padStart(2, '0')}`);
  const [start, end] = [`the value of \`${name}\` in row `, ` ${ADVICE}`].map(quoteText);
  const raised = `error(${start} || quern_row || ${end})`;
  return `CASE WHEN regexp_matches(${value}::VARCHAR, '[${codes.join('')}]') THEN ${raised} ELSE ${value} END`;
}

/** The error of a value without the prefix of the engine. */
export function explainUnquoted(error: unknown): unknown {
  if (!(error instanceof DatabaseError) || !RAISED.test(error.message)) return error;
  return new DatabaseError('sql', error.message.replace(RAISED, ''), undefined, { cause: error });
}
