import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { findSeed } from './test/support/find-seed.ts';
import { findMemoryFolder } from './test/support/memory-folder.ts';
import { SlowestFirst } from './test/support/slowest-first.ts';

/** What uses the built command line, as users do. */
const built = ['test/acceptance/**/*.test.ts', 'test/bin/*.test.ts', 'test/docs/*.test.ts'];

// Much of the tests' time would be compiling the same modules for each process that they start.
process.env.NODE_COMPILE_CACHE ??= path.join(import.meta.dirname, 'node_modules/.cache/compiled');

// Chooses the cases that rotate, and the random values.
process.env.QUERN_SEED = findSeed(process.env.QUERN_SEED);

// As in the processes of the command line, because tests run commands in theirs.
process.env.UV_THREADPOOL_SIZE ??= '16';

// A third of the time of many tests would be waiting for the disk, because databases flush each commit. No test ends the
// machine, for which they do it.
const memory = findMemoryFolder();
if (memory !== undefined) process.env.TMPDIR ??= memory;

export default defineConfig({
  test: {
    // Much longer than anything takes: a failure only because the machine is busy would mean nothing.
    expect: { requireAssertions: true, poll: { timeout: 60_000 } },
    // Rarely, V8 ends a process with WebAssembly in its threads, on processors that have such keys.
    execArgv: ['--no-memory-protection-keys'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // A third of the processor time would be loading the same modules for each file. What they may keep for the whole
    // process, which tests then share, `test/module-state.test.ts` lists.
    isolate: false,
    setupFiles: [
      'test/support/keep-process.ts',
      'test/support/seed.ts',
      'test/support/spent/measure-file.ts',
    ],
    reporters: ['default', './test/support/spent/report-work.ts'],
    sequence: { sequencer: SlowestFirst },
    // One more than the processors of a small machine: much of the time goes into waiting for other processes.
    maxWorkers: 3,
    projects: [
      {
        extends: true,
        test: {
          name: 'source',
          include: ['test/**/*.test.ts'],
          exclude: [...built, '**/node_modules/**'],
          globalSetup: ['test/support/servers.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'built',
          include: built,
          // Node loads the bundle as it is.
          server: { deps: { external: [/\/dist\//] } },
          globalSetup: ['test/support/build.ts', 'test/support/servers.ts'],
        },
      },
    ],
  },
});
