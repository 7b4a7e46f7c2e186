import path from 'node:path';
import type { Bench } from './bench.ts';
import { ensureData } from './data.ts';
import { measureWorker } from './measure.ts';

const file = await ensureData();
const worker = path.join(import.meta.dirname, 'workers/blocks.ts');
const blocks =
  (mode: string, ...more: string[]) =>
  () =>
    measureWorker(process.execPath, [worker, mode, ...more]);

export const benches: readonly Bench[] = [
  {
    name: '500 trivial tests above the same queries alone',
    peerName: 'alone',
    runs: 3,
    ours: blocks('serial'),
    peer: blocks('plain'),
    limits: [{ metric: 'wall', most: 500, compare: 'difference' }],
  },
  {
    name: '500 trivial tests, 2 at once ÷ one after another',
    peerName: 'one after another',
    runs: 5,
    ours: blocks('parallel'),
    peer: blocks('serial'),
    limits: [{ metric: 'wall', most: 1.1 }],
  },
  {
    name: 'a chain of 50 blocks over 10 M rows ÷ the same SQL inlined by hand',
    peerName: 'inlined',
    runs: 3,
    ours: blocks('chain', file),
    peer: blocks('inlined', file),
    limits: [{ metric: 'wall', most: 1.2 }],
  },
];
