import path from 'node:path';
import { startMariadb } from '../test/support/mariadb.ts';
import { startPostgresql } from '../test/support/postgresql.ts';
import type { Bench } from './bench.ts';
import { measureWorker } from './measure.ts';
import { runInThread } from './workers/run-in-thread.ts';

// Compares our own reader of rows with the packages `pg` and `mysql2`, which we use only to sign in.

const workers = path.join(import.meta.dirname, 'workers');
const ROWS = 1_000_000;

type Kind = 'postgresql' | 'mysql';
type Options = Readonly<Record<string, string>>;

/** A million rows of numbers, dates and strings. */
const TABLES: Readonly<Record<Kind, string>> = {
  postgresql: `CREATE TABLE sales AS SELECT i AS id, (i % 1000)::int AS customer, (i * 7 % 100000)::numeric(12, 2) / 100 AS amount,
    i * 0.5::float8 AS weight, DATE '2020-01-01' + (i % 2000)::int AS day, 'order number ' || i AS label,
    CASE WHEN i % 10 = 0 THEN NULL ELSE 'note' END AS note FROM generate_series(1, ${ROWS}) AS r(i)`,
  mysql: `CREATE TABLE sales AS SELECT seq AS id, CAST(seq % 1000 AS INT) AS customer, CAST((seq * 7 % 100000) / 100 AS DECIMAL(12, 2)) AS amount,
    CAST(seq * 0.5 AS DOUBLE) AS weight, DATE '2020-01-01' + INTERVAL (seq % 2000) DAY AS day, CONCAT('order number ', seq) AS label,
    IF(seq % 10 = 0, NULL, 'note') AS note FROM seq_1_to_${ROWS}`,
};
const PEERS: Readonly<Record<Kind, string>> = { postgresql: 'pg', mysql: 'mysql2' };

async function prepare(kind: Kind, options: Options): Promise<void> {
  const { run, close } = runInThread(options, kind);
  const outcome = await run(TABLES[kind], 'csv', () => {});
  await close();
  if (outcome.status === 'failed') throw new Error(outcome.error.message);
}

function createBench(kind: Kind, options: Options, format: string): Bench {
  const run = (worker: string, ...more: readonly string[]) =>
    measureWorker(process.execPath, [path.join(workers, worker), kind, JSON.stringify(options), ...more]);
  const text = 'SELECT * FROM sales';
  return {
    name: `a million rows of ${kind} to ${format} ÷ ${PEERS[kind]} alone, row by row`,
    peerName: PEERS[kind],
    runs: 5,
    ours: () => run('server.ts', format, text),
    peer: () => run('plain-client.ts', text),
    limits: [
      { metric: 'wall', most: 1.1 },
      { metric: 'cpu', most: 1.1 },
    ],
  };
}

async function listBenches(
  kind: Kind,
  start: () => Promise<{ readonly options: Options; stop(): void } | null>,
): Promise<readonly Bench[]> {
  const server = await start();
  if (server === null) {
    console.log(`${kind} is not installed: its benchmarks are skipped`);
    return [];
  }
  process.on('exit', () => server.stop());
  await prepare(kind, server.options);
  return ['csv', 'arrow'].map((format) => createBench(kind, server.options, format));
}

export const benches: readonly Bench[] = [
  ...(await listBenches('postgresql', startPostgresql)),
  ...(await listBenches('mysql', startMariadb)),
];
