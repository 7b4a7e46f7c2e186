import { describe, expect, inject, it } from 'vitest';
import { hasCluster, useCluster } from '../support/trino/use-cluster.ts';
import { compareWorlds, type Report } from './oracle/compare-worlds.ts';
import { type EnginePlatform, openEngine } from './oracle/engine.ts';

const QUESTIONS = 12;

const ENGINES: readonly (readonly [
  EnginePlatform,
  Readonly<Record<string, string>> | null,
  worlds: number,
])[] = [
  ['duckdb', { file: ':memory:' }, 120],
  ['postgresql', inject('postgresql'), 60],
  ['mysql', inject('mariadb'), 120],
];

/**
 * 500 comparisons at least. A query of a cluster takes ten times as long as one of a single process, and most of that is
 * waiting: so several sessions compare different worlds at the same time.
 */
const TRINO_SESSIONS = 4;
const WORLDS_OF_SESSION = 12;

/** Compares the rows of some worlds, in one session. */
async function compare(
  platform: EnginePlatform,
  options: Readonly<Record<string, string>>,
  worlds: { readonly from: number; readonly count: number },
) {
  await using engine = await openEngine(platform, options, `rows of worlds ${process.pid} ${worlds.from}`);
  const report = await compareWorlds(engine, { ...worlds, questions: QUESTIONS });
  expect(report.difference).toBeNull();
  return report;
}

function expectEnough(reports: readonly Report[], worlds: number, least = (worlds * QUESTIONS) / 2) {
  const sum = (key: 'compared' | 'refused' | 'differFromNaive') =>
    reports.reduce((total, report) => total + report[key], 0);
  expect(sum('compared')).toBeGreaterThan(least);
  expect(sum('refused')).toBeGreaterThan(worlds);
  expect(sum('differFromNaive')).toBeGreaterThan(worlds / 2);
}

describe.each(ENGINES)("the compiler's SQL for %s", (platform, options, worlds) => {
  it.skipIf(options === null)(
    'returns the rows that semantic models define',
    { timeout: 300_000 },
    async () => expectEnough([await compare(platform, options!, { from: 1, count: worlds })], worlds),
  );
});

describe.skipIf(!hasCluster)("the compiler's SQL for trino", () => {
  const cluster = useCluster();

  it('returns the rows that semantic models define', { timeout: 900_000 }, async () => {
    const options = { host: '127.0.0.1', port: String(cluster().httpPort), user: 'oracle' };
    const worlds = Array.from({ length: TRINO_SESSIONS }, (_, i) => {
      return { from: 1 + i * WORLDS_OF_SESSION, count: WORLDS_OF_SESSION };
    });
    const reports = await Promise.all(worlds.map((own) => compare('trino', options, own)));
    expectEnough(reports, TRINO_SESSIONS * WORLDS_OF_SESSION, 500);
  });
});
