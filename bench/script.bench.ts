import path from 'node:path';
import type { Bench } from './bench.ts';
import { measureWorker } from './measure.ts';

const worker = path.join(import.meta.dirname, 'workers/script.ts');

function languageOf(name: string, mode: string, limits: Bench['limits']): Bench {
  return { name, peerName: '', runs: 3, ours: () => measureWorker(process.execPath, [worker, mode]), limits };
}

/** A project of 1,000 files and 5,000 blocks, 9.9 MB. */
export const benches: readonly Bench[] = [
  languageOf('1,000 scripts parsed and linked', 'cold', [
    { metric: 'wall', most: 400, compare: 'alone' },
    { metric: 'peak', most: 250, compare: 'alone' },
  ]),
  languageOf('1,000 scripts after one has changed', 'changed', [
    { metric: 'wall', most: 30, compare: 'alone' },
  ]),
  languageOf('a block that calls 200 others rendered', 'render', [
    { metric: 'wall', most: 20, compare: 'alone' },
  ]),
];
