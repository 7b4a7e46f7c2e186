import { afterAll } from 'vitest';
import { hasProc } from '../processes.ts';
import { readOwnTree } from './uncounted.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Processor time of a file of tests and its processes, in hundredths of a second; absent where nothing tells it. */
    work?: number;
  }
}

/** What this worker had used when its previous file ended; its start counts for its first file. */
const KEY = Symbol.for('quern.test.work');
const worker = globalThis as { [KEY]?: number };

if (hasProc) {
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of the fixtures from it.
  afterAll(({}, file) => {
    const work = readOwnTree();
    file.meta.work = work - (worker[KEY] ?? 0);
    worker[KEY] = work;
  });
}
