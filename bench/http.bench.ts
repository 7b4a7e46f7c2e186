import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Bench } from './bench.ts';
import { fillCatalog, READ } from './catalogs.ts';
import { measureWorker } from './measure.ts';
import { load, type Served, serve, start, workers } from './served.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'quern-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const EXTRA = { many: 10_000 };
const few = fillCatalog(path.join(folder, 'few'), 10, 100, EXTRA);
const many = fillCatalog(path.join(folder, 'many'), 100, 1_000, EXTRA);
const startBare = (...how: readonly string[]) =>
  start(few, [path.join(workers, 'bare-catalog.ts'), few.home, few.token, READ, ...how]);
const [bare, barest, keeping] = [
  await startBare('fastify'),
  await startBare('node'),
  await startBare('fastify', 'kept'),
];
const [small, large] = [await serve(few), await serve(many)];

const readPath = `/api/v1/catalog/by-path/${encodeURIComponent(READ)}`;
const read = (server: Served) => load({ server, repeat: 8_000, connections: 4, path: readPath });
const CREATIONS = 600;

/** Warms a server up, because its code is compiled during the first requests. */
for (const server of [bare, barest, keeping, small, large]) {
  await load({ server, repeat: 30_000, connections: 4, path: readPath })();
}

export const benches: readonly Bench[] = [
  // The peer makes the nine reads that an authorized response needs without a cache. Quern caches tokens and rights until
  // the next commit, and reads only whether there was a commit.
  {
    name: '8,000 reads by path with a token ÷ a bare Fastify handler that reads everything from SQLite',
    peerName: 'bare',
    runs: 7,
    ours: read(small),
    peer: read(bare),
    limits: [
      { metric: 'wall', most: 1.43 },
      { metric: 'cpu', most: 1.43 },
    ],
  },
  {
    name: 'the same ÷ a bare Fastify handler with a full cache',
    peerName: 'bare',
    runs: 7,
    ours: read(small),
    peer: read(keeping),
    limits: [
      { metric: 'wall', most: null },
      { metric: 'cpu', most: null },
    ],
  },
  {
    name: "the same ÷ a bare handler of Node's server",
    peerName: 'bare',
    runs: 7,
    ours: read(small),
    peer: read(barest),
    limits: [{ metric: 'wall', most: null }],
  },
  {
    name: '8,000 reads by path among 110,000 items ÷ among 11,000',
    peerName: 'fewer',
    runs: 7,
    ours: read(large),
    peer: read(small),
    limits: [{ metric: 'wall', most: 1.15 }],
  },
  {
    name: 'a listing of 10,000 children',
    peerName: '',
    runs: 15,
    ours: load({ server: small, repeat: 1, connections: 1, path: '/api/v1/catalog/list/@Shared/many' }),
    limits: [{ metric: 'wall', most: 40, compare: 'alone' }],
  },
  {
    name: `${CREATIONS} scripts created durably ÷ as many commits of better-sqlite3 alone`,
    peerName: 'better-sqlite3',
    runs: 5,
    ours: load({
      server: small,
      repeat: CREATIONS,
      connections: 4,
      method: 'POST',
      path: '/api/v1/catalog/assets',
      body: { parent_path: '@Personal', name: 'script #', content: 'SELECT 1' },
    }),
    peer: () =>
      measureWorker(process.execPath, [path.join(workers, 'commits.ts'), folder, String(CREATIONS)]),
    limits: [{ metric: 'wall', most: 3.33 }],
  },
];
