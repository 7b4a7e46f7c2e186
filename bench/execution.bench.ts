import path from 'node:path';
import type { Bench } from './bench.ts';
import { ensureData } from './data.ts';
import { measureWorker } from './measure.ts';

const file = await ensureData();
const worker = path.join(import.meta.dirname, 'workers/host.ts');
const host =
  (where: 'thread' | 'process', mode: string, format = 'csv', ...more: number[]) =>
  () =>
    measureWorker(process.execPath, [worker, where, file, mode, format, ...more.map(String)]);

const exports = ['csv', 'arrow'].map((format): Bench => {
  return {
    name: `lineitem to ${format} by the engine process ÷ in one thread`,
    peerName: 'in one thread',
    runs: 3,
    ours: host('process', 'export', format),
    peer: host('thread', 'export', format),
    limits: [
      { metric: 'cpu', most: 1.25 },
      { metric: 'wall', most: 1.25 },
    ],
  };
});

const beside = [1, 4].flatMap((count) =>
  [50, 99].map((percent): Bench => {
    return {
      name: `SELECT 42 in the engine process during ${count} export${count > 1 ? 's' : ''} ÷ idle, ${percent}th percentile`,
      peerName: 'idle',
      runs: 3,
      ours: host('process', 'beside', 'csv', count, percent),
      peer: host('process', 'beside', 'csv', 0, percent),
      limits: [{ metric: 'wall', most: count === 1 ? 4 : 8 }],
    };
  }),
);

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
  ...beside,
];
