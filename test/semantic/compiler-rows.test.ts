import { describe, expect, inject, it } from 'vitest';
import { hasCluster, useCluster } from '../support/trino/use-cluster.ts';
import { compareWorlds } from './oracle/compare-worlds.ts';
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

/** 500 comparisons at least: a query of a cluster takes ten times as long as one of a single process. */
const TRINO_WORLDS = 48;

async function compare(platform: EnginePlatform, options: Readonly<Record<string, string>>, worlds: number) {
  await using engine = await openEngine(platform, options, `rows of worlds ${process.pid}`);
  const report = await compareWorlds(engine, { from: 1, count: worlds, questions: QUESTIONS });
  expect(report.difference).toBeNull();
  expect(report.compared).toBeGreaterThan((worlds * QUESTIONS) / 2);
  expect(report.refused).toBeGreaterThan(worlds);
  expect(report.differFromNaive).toBeGreaterThan(worlds / 2);
  return report;
}

describe.each(ENGINES)("the compiler's SQL for %s", (platform, options, worlds) => {
  it.skipIf(options === null)('returns the rows that semantic models define', { timeout: 300_000 }, () =>
    compare(platform, options!, worlds),
  );
});

describe.skipIf(!hasCluster)("the compiler's SQL for trino", () => {
  const cluster = useCluster();

  it('returns the rows that semantic models define', { timeout: 900_000 }, async () => {
    const server = { host: '127.0.0.1', port: String(cluster().httpPort), user: 'oracle' };
    // Plans for few rows, which the server makes and runs faster.
    const options = { ...server, session: 'task_concurrency=1;join_reordering_strategy=NONE' };
    expect((await compare('trino', options, TRINO_WORLDS)).compared).toBeGreaterThan(500);
  });
});
