import path from 'node:path';
import type { Bench } from './bench.ts';
import { ensureData } from './data.ts';
import { measureWorker } from './measure.ts';

const file = await ensureData();
const worker = path.join(import.meta.dirname, 'workers/host.ts');
const host =
  (where: 'thread' | 'process', mode: string, format = 'csv') =>
  () =>
    measureWorker(process.execPath, [worker, where, file, mode, format]);

const exports = ['csv', 'arrow'].map((format): Bench => {
  return {
    name: `lineitem to ${format} by the engine process ÷ in one thread`,
    peerName: 'in one thread',
    runs: 3,
    ours: host('process', 'export', format),
    peer: host('thread', 'export', format),
    limits: [
      { metric: 'cpu', most: 1.4 },
      { metric: 'wall', most: 1.4 },
    ],
  };
});

export const benches: readonly Bench[] = [
  ...exports,
  {
    name: '3,200 × SELECT 42, 16 at once, by the engine process ÷ in one thread',
    peerName: 'in one thread',
    runs: 3,
    ours: host('process', 'small'),
    peer: host('thread', 'small'),
    limits: [{ metric: 'wall', most: 1.25 }],
  },
  {
    name: 'median of SELECT 42 in the engine process during an export ÷ idle',
    peerName: 'idle',
    runs: 3,
    ours: host('process', 'beside'),
    peer: host('process', 'idle'),
    limits: [{ metric: 'wall', most: 4 }],
  },
];
