import { existsSync, statSync } from 'node:fs';
import duckdb from '@duckdb/node-bindings';
import { createReader } from '../../../result/columns/read-value.ts';
import { quoteName, quoteText } from '../../../text/sql-quote.ts';
import { DatabaseError } from '../../contract/connection.ts';
import type { Engine } from '../instance/engine.ts';
import { toCopyError, toOpenError } from '../instance/errors.ts';
import { openEngine } from '../instance/open-engine.ts';
import { MEMORY, readOptions } from '../instance/options.ts';
import { createStringDecoder } from '../values/strings.ts';

/** A request to compact a database. Paths are absolute and without links. */
export interface Compaction {
  readonly file: string;
  /** Path of the copy, on the same disk; must not exist. */
  readonly target: string;
  /** Folder for data that does not fit into memory. */
  readonly temp: string;
  /** Replaces the file with the copy, while no other process can write to it. */
  readonly swap: () => void;
  readonly signal: AbortSignal;
}

/**
 * Copies the content of a database into a new file without free blocks, compares both, and calls `swap` when they are
 * equal and the copy is smaller. Resolves with both sizes in bytes. Rejects with a DatabaseError, `locked` when another
 * process has the file, `full` when the disk has no room for the copy. After a failure, parts of the copy and a `.wal`
 * file next to it may remain.
 */
export async function compactDatabase(
  compaction: Compaction,
): Promise<{ readonly before: number; readonly after: number }> {
  const { file, target, temp, swap, signal } = compaction;
  const about = await readAbout(file, signal);
  const before = statSync(file).size;
  const engine = await openEngine(readOptions({ file: MEMORY, temp_directory: temp }));
  const run = (sql: string) => engine.step(sql, signal, () => duckdb.query(engine.connection, sql));
  const source = `quern_${about.name}`;
  try {
    // Meanwhile, other processes can read the file, but not write to it.
    await run(`ATTACH ${quoteText(file)} AS ${quoteName(source)} (READ_ONLY)`).catch((error: unknown) => {
      throw signal.aborted ? error : toOpenError(error, file);
    });
    if (existsSync(`${file}.wal`)) throw createBusy(file);
    const { version, blockSize } = about;
    await run(
      `ATTACH ${quoteText(target)} AS ${quoteName(about.name)} (STORAGE_VERSION ${quoteText(version)}, BLOCK_SIZE ${blockSize})`,
    );
    const work = { run, read: (sql: string) => readRows(engine, sql, signal), source, target: about.name };
    await copyContent(work);
    await run(`CHECKPOINT ${quoteName(about.name)}`);
    await checkSameContent(work);
    await run(`DETACH ${quoteName(about.name)}`);
    const after = statSync(target).size;
    if (existsSync(`${target}.wal`)) throw toCopyError(file, 'the copy still has a separate log');
    if (after >= before) return { before, after: before };
    swap();
    return { before, after };
  } finally {
    await engine.close();
  }
}

interface About {
  /** The name of the database in its own SQL. */
  readonly name: string;
  /** Version of the file format, in the form that ATTACH accepts. */
  readonly version: string;
  readonly blockSize: string;
}

const ABOUT = `SELECT current_database(),
    (SELECT tags['storage_version'] FROM duckdb_databases() WHERE database_name = current_database()),
    (SELECT block_size::VARCHAR FROM pragma_database_size() WHERE database_name = current_database())`;

/** Moves the log into the file, and reads the file's format. */
async function readAbout(file: string, signal: AbortSignal): Promise<About> {
  const engine = await openEngine(readOptions({ file }));
  try {
    await step(engine, 'CHECKPOINT', signal);
    const [[name, version, blockSize] = []] = await readRows(engine, ABOUT, signal);
    if (name == null || version == null || blockSize == null)
      throw toCopyError(file, 'its format is unknown');
    return { name, version: version.replace(/\+$/, ''), blockSize };
  } finally {
    await engine.close();
  }
}

function step(engine: Engine, statement: string, signal: AbortSignal): Promise<unknown> {
  return engine.step(statement, signal, () => duckdb.query(engine.connection, statement));
}

/** Another process has written to the file since it was checked. */
function createBusy(file: string): DatabaseError {
  return new DatabaseError('locked', `The database file "${file}" is in use by another process.`);
}

const TEXT = createStringDecoder({ kind: 'text', label: 'STRING' });

/** Reads all rows of an internal query whose columns are text. Rejects with a DatabaseError. */
async function readRows(
  engine: Engine,
  query: string,
  signal: AbortSignal,
): Promise<readonly (readonly (string | null)[])[]> {
  const result = await engine.step(query, signal, () => duckdb.query(engine.connection, query));
  const rows: (string | null)[][] = [];
  for (;;) {
    const chunk = await engine.step(query, signal, () => duckdb.fetch_chunk(result));
    const count = chunk === null ? 0 : duckdb.data_chunk_get_size(chunk);
    if (chunk === null || count === 0) return rows;
    const columns = Array.from({ length: duckdb.data_chunk_get_column_count(chunk) }, (_, at) =>
      createReader(TEXT.type, TEXT.decode(duckdb.data_chunk_get_vector(chunk, at), 0, count)),
    );
    for (let row = 0; row < count; row++) {
      rows.push(columns.map((read) => (read(row) === null ? null : String(read(row)))));
    }
  }
}

/** The names of two databases attached to one instance, and functions to query it. */
interface DatabasePair {
  readonly run: (sql: string) => Promise<unknown>;
  /** Reads rows whose columns are all text. */
  readonly read: (sql: string) => Promise<readonly (readonly (string | null)[])[]>;
  readonly source: string;
  readonly target: string;
}

interface Table {
  readonly schema: string;
  readonly name: string;
  readonly columns: readonly string[];
  /** Columns that store values; the engine computes the others. */
  readonly stored: readonly string[];
}

/** Queries for all definitions of a database, by kind, as text; `$` is replaced by the name of the database. */
const DEFINITIONS: Readonly<Record<string, string>> = {
  schemas:
    'SELECT schema_name, comment, tags::VARCHAR FROM duckdb_schemas() WHERE database_name = $ AND NOT internal',
  tables: `SELECT schema_name, table_name, comment, tags::VARCHAR, sql FROM duckdb_tables()
    WHERE database_name = $ AND NOT internal`,
  columns: `SELECT schema_name, table_name, column_index::VARCHAR, column_name, comment, data_type, column_default,
    is_nullable::VARCHAR FROM duckdb_columns() WHERE database_name = $ AND NOT internal`,
  constraints: `SELECT schema_name, table_name, constraint_name, constraint_type, constraint_text,
    constraint_column_names::VARCHAR, referenced_table, referenced_column_names::VARCHAR FROM duckdb_constraints()
    WHERE database_name = $`,
  indexes: `SELECT schema_name, index_name, table_name, comment, tags::VARCHAR, is_unique::VARCHAR, is_primary::VARCHAR,
    expressions, sql FROM duckdb_indexes() WHERE database_name = $`,
  views: `SELECT schema_name, view_name, comment, tags::VARCHAR, sql FROM duckdb_views()
    WHERE database_name = $ AND NOT internal`,
  sequences: `SELECT schema_name, sequence_name, comment, tags::VARCHAR, sql FROM duckdb_sequences()
    WHERE database_name = $`,
  types: `SELECT schema_name, type_name, comment, tags::VARCHAR, logical_type, labels::VARCHAR FROM duckdb_types()
    WHERE database_name = $ AND NOT internal`,
  functions: `SELECT schema_name, function_name, function_type, comment, tags::VARCHAR, parameters::VARCHAR,
    parameter_types::VARCHAR, macro_definition FROM duckdb_functions() WHERE database_name = $ AND NOT internal`,
};

const TABLES = `SELECT t.schema_name, t.table_name, to_json(list(c.column_name ORDER BY c.column_index))::VARCHAR,
    to_json(list(c.column_name ORDER BY c.column_index) FILTER (
      NOT contains(t.sql, concat(c.column_name, ' ', c.data_type, ' GENERATED ALWAYS AS('))
      AND NOT contains(t.sql, concat('"', replace(c.column_name, '"', '""'), '" ', c.data_type, ' GENERATED ALWAYS AS('))
    ))::VARCHAR
  FROM duckdb_tables() t JOIN duckdb_columns() c USING (database_oid, schema_oid, table_oid)
  WHERE t.database_name = $ AND NOT t.internal GROUP BY ALL ORDER BY ALL`;

/** Copies everything into an empty database. Rejects with a DatabaseError. */
async function copyContent(pair: DatabasePair): Promise<void> {
  const { run, source, target } = pair;
  await run(`COPY FROM DATABASE ${quoteName(source)} TO ${quoteName(target)} (SCHEMA)`);
  let remainingTables = await listTables(pair);
  // Referenced tables are copied first.
  while (remainingTables.length > 0) {
    const next: Table[] = [];
    let lastError: unknown;
    for (const table of remainingTables) {
      try {
        await run(printInsert(pair, table));
      } catch (error) {
        if (!isReference(error)) throw error;
        lastError = error;
        next.push(table);
      }
    }
    if (next.length === remainingTables.length) throw lastError;
    remainingTables = next;
  }
}

function isReference(error: unknown): boolean {
  return error instanceof DatabaseError && /^Constraint Error: Violates foreign key/.test(error.message);
}

/** Throws a DatabaseError when the definitions of two databases, or the rows of a table, differ. */
async function checkSameContent(pair: DatabasePair): Promise<void> {
  for (const [kind, query] of Object.entries(DEFINITIONS)) {
    const [before, after] = await askBoth(pair, (name) => query.replace('$', quoteText(name)));
    if (before !== after) throw createDifference(`the ${kind}`);
  }
  for (const table of await listTables(pair)) {
    const [before, after] = await askBoth(pair, (name) => printSum(name, table));
    if (before !== after) throw createDifference(`the rows of the table ${quoteName(table.name)}`);
  }
}

/** The rows of a query in each database, sorted. */
async function askBoth(
  { read, source, target }: DatabasePair,
  print: (name: string) => string,
): Promise<readonly [string, string]> {
  const ask = async (name: string) =>
    (await read(print(name)))
      .map((row) => JSON.stringify(row))
      .sort()
      .join('\n');
  return [await ask(source), await ask(target)];
}

function createDifference(what: string): DatabaseError {
  return new DatabaseError('unreachable', `The copy is not the same as the database: ${what} differ.`);
}

async function listTables({ read, source }: DatabasePair): Promise<readonly Table[]> {
  const rows = await read(TABLES.replace('$', quoteText(source)));
  return rows.map(([schema, name, columns, stored]) => ({
    schema: schema!,
    name: name!,
    columns: JSON.parse(columns!),
    stored: JSON.parse(stored!),
  }));
}

function printInsert({ source, target }: DatabasePair, table: Table): string {
  const columns = table.stored.map(quoteName).join(', ');
  return `INSERT INTO ${printTable(target, table)} (${columns}) SELECT ${columns} FROM ${printTable(source, table)}`;
}

/** The number of rows, and two sums of their values that are independent of order. */
function printSum(database: string, table: Table): string {
  const hash = `hash(${table.columns.map(quoteName).join(', ')})`;
  return `SELECT count(*)::VARCHAR, bit_xor(${hash})::VARCHAR, sum(${hash}::HUGEINT)::VARCHAR FROM ${printTable(database, table)}`;
}

function printTable(database: string, { schema, name }: Table): string {
  return [database, schema, name].map(quoteName).join('.');
}
