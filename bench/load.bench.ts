import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startPostgresql } from '../test/support/postgresql.ts';
import type { Bench } from './bench.ts';
import { measureProcess } from './measure.ts';

// Compares `quern load` with the tools of the databases. Each run is a process.

const quern = path.resolve(import.meta.dirname, '../bin/quern.js');
const folder = mkdtempSync(path.join(tmpdir(), 'quern-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const COLUMNS = `i AS id, i % 1000 AS customer, (i * 7 % 100000) / 100 AS amount, i * 0.5 AS weight,
  DATE '2020-01-01' + CAST(i % 2000 AS INTEGER) AS day, TIMESTAMP '2020-01-01' + to_seconds(i) AS at,
  i % 2 = 0 AS paid, 'order number ' || i AS label, 'note, ' || i % 10 AS note, md5(i::VARCHAR) AS code`;

/** Runs a statement of DuckDB in a process. */
function listDuckDb(sql: string, file = ':memory:'): readonly string[] {
  const script = `const { DuckDBInstance } = await import('@duckdb/node-api');
    const connection = await (await DuckDBInstance.create(${JSON.stringify(file)})).connect();
    await connection.run(${JSON.stringify(sql)});`;
  return ['--input-type=module', '-e', script];
}

function run(command: string, args: readonly string[], env = process.env): void {
  const { status, stderr } = spawnSync(command, args, { cwd: folder, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

for (const [name, rows] of [
  ['large', 2_000_000],
  ['small', 200_000],
] as const) {
  const file = path.join(folder, `${name}.csv`);
  const sql = `COPY (SELECT ${COLUMNS} FROM range(${rows}) r(i)) TO '${file}' (HEADER)`;
  const { status, stderr } = spawnSync(process.execPath, listDuckDb(sql), {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
}
run(process.execPath, [quern, 'init', folder, '--empty']);

const readAll = `CREATE OR REPLACE TABLE t AS FROM read_csv('${path.join(folder, 'large.csv')}', sample_size = -1)`;

async function listPostgresql(): Promise<readonly Bench[]> {
  const server = await startPostgresql();
  if (server === null) {
    console.log('postgresql is not installed: its benchmark is skipped');
    return [];
  }
  process.on('exit', () => server.stop());
  const { password, ...options } = server.options;
  const set = Object.entries(options).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
  const create = ['connection', 'create', 'db', '--kind', 'postgresql', ...set];
  run(process.execPath, [quern, ...create, '--secret', 'password=env:SECRET'], {
    ...process.env,
    SECRET: password,
  });
  const { host, port, user, database = user } = options;
  const url = `postgresql://${user}:${encodeURIComponent(password)}@${host}:${port}/${database}`;
  const columns =
    'id bigint, customer bigint, amount float8, weight float8, day date, at timestamp, paid boolean, label text, note text, code text';
  const copy = [
    ['-c', `DROP TABLE IF EXISTS p; CREATE TABLE p (${columns})`],
    ['-c', '\\copy p FROM small.csv (FORMAT csv, HEADER)'],
  ].flat();
  const load = ['load', 'small.csv', '--table', 't', '--replace', '--connection', 'db'];
  return [
    {
      name: 'load of 200,000 rows into PostgreSQL ÷ psql \\copy',
      peerName: 'psql',
      runs: 3,
      ours: () => measureProcess(process.execPath, [quern, ...load], folder),
      peer: () => measureProcess('psql', [url, '-qX', '-v', 'ON_ERROR_STOP=1', ...copy], folder),
      limits: [{ metric: 'wall', most: 2 }],
    },
  ];
}

export const benches: readonly Bench[] = [
  ...(await listPostgresql()),
  {
    name: 'load of a CSV of 2 million rows × 10 ÷ read_csv of DuckDB',
    peerName: 'DuckDB',
    runs: 3,
    ours: () =>
      measureProcess(process.execPath, [quern, 'load', 'large.csv', '--table', 't', '--replace'], folder),
    peer: () =>
      measureProcess(
        process.execPath,
        listDuckDb(readAll, path.join(folder, 'peer.duckdb')),
        import.meta.dirname,
      ),
    limits: [{ metric: 'wall', most: 1.6 }],
  },
];
