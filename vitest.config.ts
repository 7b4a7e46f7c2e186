import { defineConfig } from 'vitest/config';

/** What uses the built command line, as users do. */
const built = ['test/acceptance/**/*.test.ts', 'test/bin/*.test.ts', 'test/docs/*.test.ts'];

export default defineConfig({
  test: {
    expect: { requireAssertions: true },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'source',
          include: ['test/**/*.test.ts'],
          exclude: built,
          globalSetup: ['test/support/servers.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'built',
          include: built,
          globalSetup: ['test/support/build.ts', 'test/support/servers.ts'],
        },
      },
    ],
  },
});
