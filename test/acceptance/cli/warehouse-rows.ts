import { expect } from 'vitest';
import type { Client } from '../../support/http.ts';
import { rowsOf, runSql } from '../http/executing.ts';
import type { Platform } from './warehouse-platforms.ts';

/** Columns with the time of a run. Only their order is compared: it shows which rows belong to the same run. */
const CLOCKS = ['loaded_at', 'run_at', 'updated_at'];

/** A column; `digits` are those of a decimal, such as `decimal(18,2)`. */
interface Column {
  readonly name: string;
  readonly type: string;
  readonly digits: string;
}

/** The columns of tables and views by name, such as `mart.dim_date`. */
export type Relations = ReadonlyMap<string, readonly Column[]>;

const PRINTED = "CASE WHEN lower(data_type) LIKE 'decimal(%' THEN lower(data_type) ELSE '' END";
const COUNTED = `CASE WHEN data_type IN ('numeric', 'decimal')
  THEN concat('decimal(', numeric_precision, ',', numeric_scale, ')') ELSE '' END`;
const DIGITS = { duckdb: PRINTED, trino: PRINTED, postgresql: COUNTED, mysql: COUNTED };

/** The tables and views of some schemas. */
export async function listRelations(
  client: Client,
  { kind }: Platform,
  schemas: readonly string[],
): Promise<Relations> {
  const sql = `SELECT table_schema AS s, table_name AS t, column_name AS c, data_type AS type, ${DIGITS[kind]} AS digits
    FROM information_schema.columns WHERE table_schema IN (${schemas.map((name) => `'${name}'`).join(', ')})
    ORDER BY 1, 2, ordinal_position`;
  const rows = rowsOf(await runSql(client, sql, { connection: { name: kind } })) as string[][];
  const columns = rows.map(([schema, table, name, type, digits]) => {
    return { table: `${schema}.${table}`, name: name!, type: type!, digits: digits! };
  });
  return Map.groupBy(columns, ({ table }) => table);
}

/** The names of the tables, of their columns, and the digits of these. */
export function describeRelations(relations: Relations): readonly string[] {
  const lines = [...relations].flatMap(([table, columns]) =>
    columns.map(({ name, digits }) => `${table} ${name} ${digits}`),
  );
  return lines.sort();
}

/**
 * All rows of all relations, sorted, with the types of their columns. Two types are not the same on all platforms, and
 * so are read as text: BOOLEAN, which MariaDB does not have, and JSON, which Iceberg and MariaDB do not have.
 */
export async function readRelations(
  client: Client,
  { kind }: Platform,
  relations: Relations,
): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {};
  for (const [table, columns] of relations) {
    const sql = `SELECT ${columns.map(printColumn).join(', ')} FROM ${printName(table, kind)} AS r`;
    const [header, rows] = parseRows(await send(client, '/exec/sql', { sql }, kind));
    found[table] = [header, ...[...rows].sort()].join('\n');
  }
  return found;
}

function printColumn({ name, type }: Column): string {
  if (CLOCKS.includes(name)) return `dense_rank() OVER (ORDER BY r.${name}) AS ${name}`;
  if (type === 'BOOLEAN') return `CASE WHEN ${name} THEN 'true' WHEN NOT ${name} THEN 'false' END AS ${name}`;
  return type === 'JSON' ? `CAST(${name} AS VARCHAR(200)) AS ${name}` : name;
}

function printName(table: string, kind: Platform['kind']): string {
  const quote = kind === 'mysql' ? '`' : '"';
  return table.replace(/^(\w+)\.(.*)$/, `$1.${quote}$2${quote}`);
}

/** The columns and rows of a script's result, in their order. */
export async function runReport(
  client: Client,
  path: string,
  { kind }: Platform,
  params: Readonly<Record<string, unknown>>,
): Promise<string> {
  const [header, rows] = parseRows(await send(client, '/exec/script', { path, params }, kind));
  return [header, ...rows].join('\n');
}

async function send(client: Client, target: string, body: object, kind: string): Promise<string> {
  const answer = await client.send('POST', target, { body: { ...body, connection: { name: kind } } });
  if (answer.status !== 200) throw new Error(`${kind}: ${JSON.stringify(body)}: ${answer.text}`);
  return answer.text;
}

/** The names and types of the columns, and the text of each row with all digits. */
export function parseRows(json: string): readonly [header: string, rows: readonly string[]] {
  const { columns, data } = JSON.parse(json).result;
  expect(data.length).toBeGreaterThan(0);
  const header = columns.map(({ name, type }: { name: string; type: string }) => `${name} ${type}`);
  const rows = json.slice(json.indexOf('"data":[[') + '"data":[['.length, json.lastIndexOf(']]},"stats":'));
  return [header.join('\n'), rows.split('],[')];
}
