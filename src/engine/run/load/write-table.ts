import { quoteName, quoteText } from '../../text/sql-quote.ts';
import { type LoadColumn, printValue } from './columns.ts';
import type { NumberStyle } from './kinds.ts';
import { printTableName } from './read-files.ts';
import { printColumnText, type TextSource } from './survey.ts';

/** A file, and what its system says of it. */
export interface FileState {
  /** Absolute path. */
  readonly path: string;
  /** In bytes. */
  readonly size: bigint;
  /** Time of the last change, in nanoseconds of the epoch. */
  readonly changedAt: bigint;
}

/** A table to write from rows. */
export interface TableToWrite {
  /** `name` or `schema.name`. */
  readonly table: string;
  readonly mode: 'create' | 'replace' | 'append';
  /** The query for its rows. */
  readonly query: string;
  /** The number of rows of the query. */
  readonly rows: number;
  /** The files of the rows, as they were when the rows were counted. */
  readonly files: readonly FileState[];
  /** The columns of the query. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** Columns that an existing table gets. */
  readonly added: readonly { readonly name: string; readonly type: string }[];
}

/** The message of a run whose files have changed since their rows were counted. */
export const FILES_CHANGED = 'the files have changed';

/** A column of rows to write. */
export interface RowColumn extends LoadColumn {
  /** The name in the table. */
  readonly as: string;
  /** Whether its values are taken as they are, not from texts. */
  readonly isDirect: boolean;
}

/** A query for rows with the types of columns. */
export function printRows(source: TextSource, columns: readonly RowColumn[], style: NumberStyle): string {
  const values = columns.map((column) => {
    const value = column.isDirect
      ? quoteName(column.name)
      : printValue(printColumnText(source, column.name), column, style);
    return `${value} AS ${quoteName(column.as)}`;
  });
  return `SELECT ${values.join(', ')} FROM ${source.relation}`;
}

/** The number of rows of a preview. */
const HEAD_ROWS = 5;

/** A query for the first rows of a table to write, as texts. */
export function printFirstRows({ query, columns }: TableToWrite): string {
  const texts = columns.map(({ name }) => `CAST(${quoteName(name)} AS VARCHAR)`);
  return `SELECT ${texts.join(', ')} FROM (${query}) LIMIT ${HEAD_ROWS}`;
}

/**
 * Statements that write all tables or none. The result has a row for each column, in order: index of the table, name,
 * type, and number of rows of the table.
 */
export function printWrites(tables: readonly TableToWrite[]): string {
  const writes = tables.flatMap((table, at) => printWrite(table, at));
  const facts = tables.map((table, at) => printFacts(table, at)).join('\nUNION ALL ');
  const result = `SELECT * EXCLUDE (position) FROM (${facts}) ORDER BY table_index, position`;
  return ['BEGIN', ...writes, result, 'COMMIT'].map((text) => `${text};`).join('\n');
}

function printWrite({ table, mode, query, added }: TableToWrite, at: number): readonly string[] {
  const { schema, target } = printTableName(table);
  if (mode === 'append') {
    return [
      ...added.map(({ name, type }) => `ALTER TABLE ${target} ADD COLUMN ${quoteName(name)} ${type}`),
      `SET VARIABLE quern_rows_${at} = (SELECT count(*) FROM ${target})`,
      `INSERT INTO ${target} BY NAME ${query}`,
    ];
  }
  return [
    ...(schema === undefined ? [] : [`CREATE SCHEMA IF NOT EXISTS ${quoteName(schema)}`]),
    `CREATE ${mode === 'replace' ? 'OR REPLACE ' : ''}TABLE ${target} AS ${query}`,
  ];
}

function printFacts({ table, mode, rows, files }: TableToWrite, at: number): string {
  const { target } = printTableName(table);
  const count =
    mode === 'append'
      ? `(SELECT count(*) FROM ${target}) - getvariable('quern_rows_${at}')`
      : `(SELECT count(*) FROM ${target})`;
  const isSame = `${count} = ${rows} AND ${printCountSame(files)} = ${files.length}`;
  const checked = `CASE WHEN ${isSame} THEN ${rows} ELSE error(${quoteText(FILES_CHANGED)}) END`;
  return (
    `SELECT ${at} AS table_index, column_name, column_type, ${checked} AS row_count, position ` +
    `FROM (SELECT *, row_number() OVER () AS position FROM (DESCRIBE ${target}))`
  );
}

/** DuckDB tells times of files in whole seconds. */
const SECOND = 1_000_000_000n;

/** The time of the last change as DuckDB tells it, in seconds of the epoch. */
export function toSeconds({ changedAt }: FileState): bigint {
  return (changedAt - (((changedAt % SECOND) + SECOND) % SECOND)) / SECOND;
}

/** An expression for the number of files that are as they were. */
function printCountSame(files: readonly FileState[]): string {
  const paths = files.map((file) => quoteText(file.path)).join(', ');
  const states = files
    .map((file) => `(${quoteText(file.path)}, ${file.size}, ${toSeconds(file)})`)
    .join(', ');
  return (
    `(SELECT count(*) FROM read_blob([${paths}]) ` +
    `WHERE (filename, size, CAST(floor(epoch(last_modified)) AS BIGINT)) IN (${states}))`
  );
}

/** A query for the kind and the columns of an existing table: whether it is a table, name, type; no row without one. */
export function printExisting(table: string): string {
  const [name = '', schema] = table.split('.', 2).reverse();
  const inSchema = schema === undefined ? 'current_schema()' : quoteText(schema);
  return (
    `SELECT table_type = 'BASE TABLE', column_name, data_type FROM information_schema.columns ` +
    `JOIN information_schema.tables USING (table_catalog, table_schema, table_name) ` +
    `WHERE table_catalog = current_database() AND lower(table_schema) = lower(${inSchema}) ` +
    `AND lower(table_name) = lower(${quoteText(name)}) ORDER BY ordinal_position`
  );
}
