import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Bench } from './bench.ts';
import { fillCatalog, READ } from './catalogs.ts';
import { ensureData } from './data.ts';
import { buildLimit } from './limit.ts';
import { measureWorker } from './measure.ts';
import { load, type Served, serve, workers } from './served.ts';

// How time and memory grow with the number of rows, and with the size of the catalog.
const MILLION = 1_000_000;
const file = await ensureData();
const drain = buildLimit();
const folder = mkdtempSync(path.join(tmpdir(), 'quern-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const toArrow = (sql: string) => () =>
  measureWorker(process.execPath, [path.join(workers, 'export.ts'), file, 'arrow', sql]);
const integers = (rows: number) => `SELECT range AS a, range * 3 AS b FROM range(${rows})`;

/** Two columns of BIGINT in a growing number of rows; `peak` must not grow. */
const rows: readonly Bench[] = [10, 100].map((millions) => ({
  name: `two BIGINTs to Arrow, ${millions} M rows ÷ 1 M rows`,
  peerName: '1 M rows',
  runs: 3,
  ours: toArrow(integers(millions * MILLION)),
  peer: toArrow(integers(MILLION)),
  limits: [
    { metric: 'peak', most: 1.15 },
    { metric: 'wall', most: null },
  ],
}));

/**
 * With LIMIT, the engine collects all rows before it returns the first, because it keeps the order of the table. The C
 * drain has the same cost.
 */
const limited: readonly Bench[] =
  drain === null
    ? []
    : ['FROM lineitem LIMIT 1000000', 'FROM lineitem'].map((sql) => ({
        name: `${sql} to Arrow ÷ C drain`,
        peerName: 'C drain',
        runs: 3,
        ours: toArrow(sql),
        peer: () => measureWorker(drain, [file, 'drain', sql]),
        limits: [
          { metric: 'wall', most: null },
          { metric: 'peak', most: 150, compare: 'difference' },
        ],
      }));

const readFrom = (server: Served, repeat = 8_000) =>
  load({ server, repeat, connections: 4, path: `/api/v1/catalog/by-path/${encodeURIComponent(READ)}` });

async function openCatalog(folders: number, scripts: number): Promise<Served> {
  const server = await serve(fillCatalog(path.join(folder, String(folders * scripts)), folders, scripts));
  // The code of the server is compiled during the first requests.
  await readFrom(server, 30_000)();
  return server;
}

const smallest = await openCatalog(10, 100);
const larger = [await openCatalog(10, 1_000), await openCatalog(110, 1_000)];
const catalogs: readonly Bench[] = larger.map((server, i) => ({
  name: `8,000 reads by path among ${['10,000', '110,000'][i]} scripts ÷ among 1,000`,
  peerName: '1,000 scripts',
  runs: 7,
  ours: readFrom(server),
  peer: readFrom(smallest),
  limits: [{ metric: 'wall', most: 1.15 }],
}));

export const benches: readonly Bench[] = [...rows, ...limited, ...catalogs];
