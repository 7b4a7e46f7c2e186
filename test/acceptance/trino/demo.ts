import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CLUSTER_COMMAND_MS } from '../../support/patience.ts';
import { makeHome, quern } from '../../support/quern.ts';
import type { ClusterOptions } from '../../support/trino/cluster.ts';

const fixtures = path.resolve(import.meta.dirname, '../../../fixtures/demo');
/** Few enough rows for statements that contain them. */
const SAMPLE = 'SELECT * FROM all_flights WHERE hash(origin || date) % 25 = 0';

/** Runs a command in a folder, expects success, and returns its output. */
export async function run(cwd: string, ...args: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await quern(args, { cwd, limitMs: CLUSTER_COMMAND_MS });
  if (exitCode !== 0) throw new Error(`quern ${args.join(' ')}: exit code ${exitCode}: ${stderr}`);
  return String(stdout);
}

/** Stores a connection to the cluster. */
export async function connect(
  cwd: string,
  name: string,
  { host, httpPort }: ClusterOptions,
  options: Readonly<Record<string, string>>,
): Promise<void> {
  const set = Object.entries({ host, port: String(httpPort), user: 'test', ...options });
  const flags = set.flatMap(([key, value]) => ['--set', `${key}=${value}`]);
  await run(cwd, 'connection', 'create', name, '--kind', 'trino', ...flags);
}

/**
 * A home with the demo project, a part of its data in DuckDB and the same rows in a new schema of the lake, which the
 * connection `lake` names.
 */
export async function makeDemo(cluster: ClusterOptions, schema: string): Promise<string> {
  const cwd = await makeHome();
  cpSync(path.join(fixtures, 'project'), path.join(cwd, 'project'), { recursive: true });
  await run(cwd, 'load', path.join(fixtures, 'data/airports.csv'));
  await run(cwd, 'load', path.join(fixtures, 'data/flights.parquet'), '--table', 'all_flights');
  await run(cwd, 'sql', `CREATE TABLE flights AS ${SAMPLE}`);
  await connect(cwd, 'cluster', cluster, { catalog: 'iceberg' });
  await run(cwd, 'sql', `CREATE SCHEMA ${schema}`, '--connection', 'cluster');
  await run(cwd, 'sql', `CREATE SCHEMA memory.${schema}`, '--connection', 'cluster');
  await connect(cwd, 'lake', cluster, { catalog: 'iceberg', schema, scratch_schema: `memory.${schema}` });
  await copyTable(cwd, 'airports', { iata: 'varchar', city: 'varchar', state: 'varchar' });
  await copyTable(cwd, 'flights', {
    date: 'timestamp(6)',
    delay: 'integer',
    distance: 'integer',
    origin: 'varchar',
    destination: 'varchar',
  });
  return cwd;
}

/** Drops the schemas of `makeDemo` and of the project. */
export async function dropDemo(cwd: string, schema: string): Promise<void> {
  await run(cwd, 'sql', `DROP SCHEMA memory.${schema}`, '--connection', 'cluster');
  await run(cwd, 'sql', `DROP SCHEMA ${schema} CASCADE`, '--connection', 'cluster');
}

/** Copies a table of DuckDB to the lake, in one statement. */
async function copyTable(cwd: string, table: string, types: Readonly<Record<string, string>>): Promise<void> {
  const names = Object.keys(types);
  const row = names.map((name) => `CAST(${name} AS VARCHAR)`).join(" || '|' || ");
  const text = await run(
    cwd,
    'sql',
    `SELECT string_agg(${row}, ';') AS rows FROM ${table}`,
    '--format',
    'json',
  );
  const [[rows]] = JSON.parse(text).result.data;
  const columns = Object.entries(types).map(
    ([name, type], i) => `CAST(split_part(x, '|', ${i + 1}) AS ${type}) AS ${name}`,
  );
  const values = String(rows).replaceAll("'", "''");
  const sql = `CREATE TABLE ${table} AS SELECT ${columns.join(', ')} FROM UNNEST(split('${values}', ';')) AS t (x)`;
  writeFileSync(path.join(cwd, 'copy.sql'), sql);
  await run(cwd, 'sql', '--file', 'copy.sql', '--connection', 'lake');
}

/** Changes a file of the project. */
export function edit(cwd: string, name: string, change: (text: string) => string): void {
  const file = path.join(cwd, 'project', name);
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}
