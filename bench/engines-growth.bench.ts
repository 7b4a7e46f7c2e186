import path from 'node:path';
import { startMariadb } from '../test/support/mariadb.ts';
import { startPostgresql } from '../test/support/postgresql.ts';
import type { Bench, Figures } from './bench.ts';
import { cluster, toConnection } from './cluster.ts';
import { measureWorker } from './measure.ts';
import { workers } from './served.ts';

// How the time for a row, and the peak memory, grow with the number of rows, through each driver. ROWS=100 adds 100 M
// rows.
const MILLION = 1_000_000;
/** Numbers of rows, in millions, with the most that the peak may grow from one to the other. */
const STEPS = [
  // A million rows end before the space of V8 for new objects, up to 32 MB, has its full size.
  { from: 1, to: 10, peak: 1.3 },
  ...(process.env.ROWS === '100' ? [{ from: 10, to: 100, peak: 1.15 }] : []),
];

/** A driver, with a query of any number of rows. */
interface Driver {
  readonly name: string;
  readonly kind: string;
  readonly options: Readonly<Record<string, string>>;
  readonly select: (rows: number) => string;
}

const lineitem = (rows: number) => `SELECT * FROM tpch.sf100.lineitem LIMIT ${rows}`;

async function listDrivers(): Promise<readonly Driver[]> {
  const [postgresql, mariadb] = [await startPostgresql(), await startMariadb()];
  for (const server of [postgresql, mariadb]) if (server !== null) process.on('exit', () => server.stop());
  const drivers: Driver[] = [
    {
      name: 'DuckDB',
      kind: 'duckdb',
      options: { file: ':memory:' },
      select: (rows) => `SELECT range AS id, 'row ' || range AS name FROM range(${rows})`,
    },
  ];
  if (postgresql !== null) {
    const { options } = postgresql;
    const select = (rows: number) =>
      `SELECT id, 'row ' || id AS name FROM (SELECT generate_series(1, ${rows}) AS id) AS r`;
    drivers.push({ name: 'PostgreSQL', kind: 'postgresql', options, select });
  }
  if (mariadb !== null) {
    const { options } = mariadb;
    const select = (rows: number) => `SELECT seq AS id, concat('row ', seq) AS name FROM seq_1_to_${rows}`;
    drivers.push({ name: 'MariaDB', kind: 'mysql', options, select });
  }
  if (cluster !== null) {
    const [direct, spooling] = [toConnection(cluster, false), toConnection(cluster, true)];
    drivers.push({ name: 'Trino', kind: 'trino', options: direct, select: lineitem });
    drivers.push({ name: 'Trino by spooling', kind: 'trino', options: spooling, select: lineitem });
  }
  return drivers;
}

function listBenches({ name, kind, options, select }: Driver): readonly Bench[] {
  const drain = (rows: number) => async (): Promise<Figures> => {
    const args = [path.join(workers, 'server.ts'), kind, JSON.stringify(options), 'csv', select(rows)];
    const figures = await measureWorker(process.execPath, args);
    return { ...figures, row: (figures.wall * 1_000_000) / rows };
  };
  return STEPS.map(({ from, to, peak }) => ({
    name: `${to} M rows ÷ ${from} M rows from ${name} to CSV`,
    peerName: `${from} M rows`,
    runs: 1,
    ours: drain(to * MILLION),
    peer: drain(from * MILLION),
    isWarm: true,
    limits: [
      { metric: 'row', most: 1.15 },
      { metric: 'peak', most: peak },
    ],
  }));
}

export const benches: readonly Bench[] = (await listDrivers()).flatMap(listBenches);
