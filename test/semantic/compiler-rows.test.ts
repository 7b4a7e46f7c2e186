import { describe, expect, inject, it } from 'vitest';
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

describe.each(ENGINES)("the compiler's SQL for %s", (platform, options, worlds) => {
  it.skipIf(options === null)(
    'returns the rows that semantic models define',
    { timeout: 300_000 },
    async () => {
      await using engine = await openEngine(platform, options!, 'rows of worlds');
      const report = await compareWorlds(engine, { from: 1, count: worlds, questions: QUESTIONS });
      expect(report.difference).toBeNull();
      expect(report.compared).toBeGreaterThan((worlds * QUESTIONS) / 2);
      expect(report.refused).toBeGreaterThan(worlds);
      expect(report.differFromNaive).toBeGreaterThan(worlds / 2);
    },
  );
});
