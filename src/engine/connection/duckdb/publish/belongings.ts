import { quoteText } from '../../../text/sql-quote.ts';
import { type Belonging, toBelongings } from '../../contract/belongings.ts';
import type { PublishedName } from '../../contract/connection.ts';
import { type Run, readTexts } from '../../contract/run-inner.ts';

/** Words in the definition of a table with more than columns and a primary key. */
const MORE = /\b(?:not null|default|collate|unique|check|foreign|references|generated)\b/i;

/** An object of the database. */
export interface NamedObject {
  readonly kind: 'table' | 'view';
  /** Whether it is certain that nothing but rows, columns and a primary key belongs to it. */
  readonly isPlain: boolean;
}

/** The temporary tables of a session. */
const TEMPORARY = { database: 'temp', schema: 'main' };

/** Finds an object with one query; the list of all its belongings takes twice as long. */
export async function findObject(
  run: Run,
  target: PublishedName,
  signal: AbortSignal,
): Promise<NamedObject | null> {
  const rows = await readTexts(await run(printFind(target), signal));
  const object = rows.find(([kind]) => kind === 'table' || kind === 'view');
  if (object === undefined) return null;
  const [kind, sql = null] = object;
  if (kind === 'view') return { kind, isPlain: false };
  return { kind: 'table', isPlain: rows.length === 1 && sql !== null && !MORE.test(sql) };
}

/** Lists the indexes, constraints and other belongings of a table, which would be lost with it. */
export async function listBelongings(
  run: Run,
  table: PublishedName,
  signal: AbortSignal,
): Promise<readonly Belonging[]> {
  return toBelongings(await readTexts(await run(printBelongings(table), signal)));
}

/**
 * Whether a temporary table has the columns, types and primary key of another table, and either its collations or none.
 */
export async function hasShapeOf(
  run: Run,
  [source, target]: readonly [source: string, target: PublishedName],
  primary: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  const read = async (statement: string) => readTexts(await run(statement, signal));
  const sourceColumns = await read(printColumns({ ...TEMPORARY, name: source }));
  const targetColumns = await read(printColumns(target));
  const key = (await read(printKey(target))).map(([name]) => name!.toLowerCase());
  const primaryKey = primary.map((name) => name.toLowerCase());
  const set = await read(printCollations({ ...TEMPORARY, name: source }));
  const isCollated =
    set.length === 0 || JSON.stringify(set) === JSON.stringify(await read(printCollations(target)));
  return isCollated && JSON.stringify([sourceColumns, primaryKey]) === JSON.stringify([targetColumns, key]);
}

/** One row for a table or view, and others for what belongs to it; the SQL of a table lacks its comments and indexes. */
function printFind(target: PublishedName): string {
  const { database, schema, name } = target;
  const isView = `database_name = ${quoteText(database)} AND lower(schema_name) = lower(${quoteText(schema)})
    AND lower(view_name) = lower(${quoteText(name)})`;
  const from = (list: string) => `FROM duckdb_${list}() WHERE ${printIsOf(target)}`;
  return `SELECT 'table', CASE WHEN comment IS NULL THEN sql END ${from('tables')} AND NOT temporary
    UNION ALL SELECT 'view', NULL FROM duckdb_views() WHERE NOT temporary AND ${isView}
    UNION ALL SELECT 'comment', NULL ${from('columns')} AND comment IS NOT NULL
    UNION ALL SELECT 'index', NULL ${from('indexes')}`;
}

function printBelongings(table: PublishedName): string {
  const from = (list: string) => `FROM duckdb_${list}() WHERE ${printIsOf(table)}`;
  const key = `SELECT unnest(constraint_column_names) ${from('constraints')} AND constraint_type = 'PRIMARY KEY'`;
  const queries = [
    `SELECT 'comments' ${from('tables')} AND comment IS NOT NULL`,
    `SELECT 'collations' ${from('tables')} AND contains(sql, ' COLLATE ')`,
    "SELECT 'comments' FROM own_columns WHERE comment IS NOT NULL",
    "SELECT 'default of the column ' || column_name FROM own_columns WHERE column_default <> 'NULL'",
    `SELECT 'index ' || index_name ${from('indexes')}`,
    `SELECT 'constraint ' || coalesce(constraint_name, constraint_text) ${from('constraints')}
      AND constraint_type NOT IN ('PRIMARY KEY', 'NOT NULL')`,
    `SELECT 'NOT NULL of the column ' || constraint_column_names[1] ${from('constraints')}
      AND constraint_type = 'NOT NULL' AND constraint_column_names[1] NOT IN (${key})`,
  ];
  // The list of all columns is slow.
  return `WITH own_columns AS MATERIALIZED (SELECT column_name, column_default, comment ${from('columns')})
    SELECT name, 'false' FROM (${queries.join('\n    UNION ')}) AS own (name) ORDER BY 1`;
}

function printColumns(table: PublishedName): string {
  return `SELECT column_name, data_type FROM duckdb_columns() WHERE ${printIsOf(table)} ORDER BY column_index`;
}

/** Only the SQL of a table has its collations. */
function printCollations(table: PublishedName): string {
  return `SELECT unnest(regexp_extract_all(sql, '(\\S+ \\S+) COLLATE (\\S+[^,);])'))
    FROM duckdb_tables() WHERE ${printIsOf(table)}`;
}

function printKey(table: PublishedName): string {
  return `SELECT unnest(constraint_column_names) FROM duckdb_constraints()
    WHERE ${printIsOf(table)} AND constraint_type = 'PRIMARY KEY'`;
}

function printIsOf({ database, schema, name }: PublishedName): string {
  return `database_name = ${quoteText(database)} AND lower(schema_name) = lower(${quoteText(schema)})
    AND lower(table_name) = lower(${quoteText(name)})`;
}
