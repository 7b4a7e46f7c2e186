import path from 'node:path';
import type { Bench } from './bench.ts';
import { measureWorker } from './measure.ts';

const worker = path.join(import.meta.dirname, 'workers/publications.ts');
const measure = (mode: string, count: number) => () =>
  measureWorker(process.execPath, [worker, mode, String(count)]);

/** Tables of one row in a file, each stored before the next, with opening and closing it; the peer is DuckDB alone. */
export const benches: readonly Bench[] = [10, 100, 300, 1_000].map((count) => ({
  name: `${count.toLocaleString('en')} tables published`,
  peerName: 'DuckDB',
  // Each takes a tenth of a second; the median of few would vary by a tenth.
  runs: count > 100 ? 5 : 15,
  isWarm: true,
  ours: measure('quern', count),
  peer: measure('duckdb', count),
  limits: [
    { metric: 'wall', most: 1.5 },
    { metric: 'cpu', most: null },
  ],
}));
