import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileQuery } from '../../src/semantic/compile/compile-query.ts';
import { createModelIndex } from '../../src/semantic/model/index/index-model.ts';
import { type GoogleSql, startGoogleSql } from '../support/googlesql.ts';
import { rotateTo } from '../support/rotation.ts';
import { loadGoogleShop, runGoogle } from './google-shop.ts';
import { KEY_CASES, keyModel } from './key-cases.ts';
import { compareWorlds } from './oracle/compare-worlds.ts';
import { createGoogleEngine } from './oracle/google-engine.ts';
import { compileQuestion, QUESTIONS, readJson } from './questions.ts';
import type { Simple } from './shop-database.ts';

const WORLDS = 40;
const QUESTIONS_OF_WORLD = 12;

const google = await startGoogleSql();

describe.skipIf(google === null)("BigQuery's SQL on the reference engine of GoogleSQL", () => {
  const engine = google as GoogleSql;
  const run = (sql: string) => runGoogle(engine, sql);
  const toNear = (row: readonly Simple[]) =>
    row.map((value) => (typeof value === 'number' ? Number(value.toPrecision(11)) : value));

  afterAll(() => engine.stop());

  describe('semantic queries to the shop', () => {
    beforeAll(() => loadGoogleShop(engine));

    it.each(QUESTIONS)('returns the expected rows: %s', async (question) => {
      const found = compileQuestion(question, 'bigquery');
      if ('refusal' in found) {
        expect(found.refusal).not.toBe('');
        return;
      }
      const rows = await run(found.sql);
      expect(rows.map(toNear)).toEqual(readJson<Simple[][]>(question, 'rows.json').map(toNear));
    });
  });

  describe('fields without columns', () => {
    const index = createModelIndex(keyModel);
    beforeAll(() => loadGoogleShop(engine));

    it.each(KEY_CASES)('$name', async ({ query, rows }) => {
      const { sql } = compileQuery(index, query, { dialect: 'bigquery', strict: false });
      expect((await run(sql)).map(toNear)).toEqual(rows.map(toNear));
    });
  });

  it('returns the rows that semantic models define', { timeout: 300_000 }, async () => {
    const seeds = rotateTo(WORLDS);
    const report = await compareWorlds(createGoogleEngine(engine), { seeds, questions: QUESTIONS_OF_WORLD });
    expect(report.difference).toBeNull();
    expect(report.compared).toBeGreaterThan((seeds.length * QUESTIONS_OF_WORLD) / 2);
    expect(report.differFromNaive).toBeGreaterThan(seeds.length / 2);
  });

  it('refuses the SQL that BigQuery refuses', async () => {
    await engine.load([{ name: 't', columns: [{ name: 'a', type: 'FLOAT64' }], rows: [['1.5']] }]);
    await expect(run('SELECT b FROM t')).rejects.toThrow('Unrecognized name: b');
    await expect(run('SELECT ROW_NUMBER() OVER (PARTITION BY a) FROM t')).rejects.toThrow(
      'Partitioning by expressions of type FLOAT64 is not allowed',
    );
  });
});
