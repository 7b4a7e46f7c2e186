import path from 'node:path';
import { startPostgresql } from '../test/support/postgresql.ts';
import type { Bench } from './bench.ts';
import { measureProcess, measureWorker } from './measure.ts';
import { runInThread } from './workers/run-in-thread.ts';

const worker = path.join(import.meta.dirname, 'workers/server.ts');

/** Six million rows in the shape of TPC-H's lineitem. */
const LINEITEM = `CREATE UNLOGGED TABLE lineitem AS SELECT
  (i / 4 + 1)::bigint AS l_orderkey, (h(i) % 200000 + 1)::bigint AS l_partkey,
  (h(i * 3) % 10000 + 1)::bigint AS l_suppkey, (i % 7 + 1)::bigint AS l_linenumber,
  (h(i * 5) % 50 + 1)::numeric(15, 2) AS l_quantity,
  ((h(i * 7) % 10000000)::numeric(15, 0) / 100 + 900)::numeric(15, 2) AS l_extendedprice,
  ((h(i * 9) % 11)::numeric(15, 2) / 100)::numeric(15, 2) AS l_discount,
  ((h(i * 11) % 9)::numeric(15, 2) / 100)::numeric(15, 2) AS l_tax,
  (ARRAY['A', 'N', 'R'])[1 + (h(i * 13) % 3)::int]::varchar AS l_returnflag,
  (ARRAY['O', 'F'])[1 + (h(i * 15) % 2)::int]::varchar AS l_linestatus,
  DATE '1992-01-02' + (h(i * 17) % 2500)::int AS l_shipdate,
  DATE '1992-01-31' + (h(i * 19) % 2500)::int AS l_commitdate,
  DATE '1992-01-04' + (h(i * 21) % 2500)::int AS l_receiptdate,
  (ARRAY['DELIVER IN PERSON', 'COLLECT COD', 'NONE', 'TAKE BACK RETURN'])[1 + (h(i * 23) % 4)::int]::varchar AS l_shipinstruct,
  (ARRAY['REG AIR', 'AIR', 'RAIL', 'SHIP', 'TRUCK', 'MAIL', 'FOB'])[1 + (h(i * 25) % 7)::int]::varchar AS l_shipmode,
  substr('carefully final deposits sleep furiously. regular, express accounts above the quick',
    1 + (h(i * 27) % 40)::int, 10 + (h(i * 29) % 34)::int)::varchar AS l_comment
FROM generate_series(0::bigint, 6001214) AS r(i)`;

const server = await startPostgresql({ shared_buffers: '1GB', max_wal_size: '4GB' });
if (server === null) console.log('PostgreSQL is not installed: its benchmarks are skipped');
else {
  process.on('exit', () => server.stop());
  await prepare(server.options);
}

async function prepare(options: Readonly<Record<string, string>>): Promise<void> {
  const { run, close } = runInThread(options, 'postgresql');
  const hash = `CREATE FUNCTION h(i bigint) RETURNS bigint LANGUAGE sql IMMUTABLE
    AS 'SELECT hashint8extended(i, 7) & 9223372036854775807'`;
  for (const text of [hash, LINEITEM, 'VACUUM ANALYZE lineitem']) {
    const outcome = await run(text, 'csv', () => {});
    if (outcome.status === 'failed') throw new Error(outcome.error.message);
  }
  await close();
}

function listBenches(options: Readonly<Record<string, string>>): readonly Bench[] {
  const ours = (mode: string, text: string) => () =>
    measureWorker(process.execPath, [worker, 'postgresql', JSON.stringify(options), mode, text]);
  const { user, password, host, port, database } = options;
  const url = `postgresql://${user}:${encodeURIComponent(password!)}@${host}:${port}/${database}`;
  const copy = () => measureProcess('psql', [url, '-qc', '\\copy lineitem TO /dev/null'], '/');
  const exports = ['csv', 'arrow'].map((format): Bench => {
    return {
      name: `6 M rows of lineitem from PostgreSQL to ${format} ÷ psql's own COPY`,
      peerName: 'psql',
      runs: 3,
      ours: ours(format, 'SELECT * FROM lineitem'),
      peer: copy,
      limits: [{ metric: 'wall', most: 1.5 }],
    };
  });
  const memory = ['csv', 'arrow'].map((format): Bench => {
    return {
      name: `peak memory of 6 M rows ÷ 2 M rows from PostgreSQL to ${format}`,
      peerName: '2 M rows',
      runs: 1,
      ours: ours(format, 'SELECT * FROM lineitem'),
      peer: ours(format, 'SELECT * FROM lineitem LIMIT 2000000'),
      limits: [
        { metric: 'peak', most: 200, compare: 'alone' },
        { metric: 'peak', most: 1.15 },
      ],
    };
  });
  const sleep = "SELECT 1 FROM (SELECT pg_sleep(0.05)::text AS nap OFFSET 0) AS t WHERE nap = 'x'";
  return [
    ...exports,
    ...memory,
    {
      name: 'eight tests of 50 ms wait on PostgreSQL, 2 at once ÷ one after another',
      peerName: 'one after another',
      runs: 3,
      ours: ours('2', sleep),
      peer: ours('1', sleep),
      limits: [{ metric: 'wall', most: 1 / 1.8 }],
    },
  ];
}

export const benches: readonly Bench[] = server === null ? [] : listBenches(server.options);
