import { afterAll, describe, expect, it } from 'vitest';
import { openClickHouseShop } from './clickhouse-shop.ts';
import { compileQuestion, QUESTIONS, readJson } from './questions.ts';
import type { Simple } from './shop-database.ts';

const clickhouse = await openClickHouseShop();

describe.skipIf(clickhouse === null)("ClickHouse's SQL of semantic queries to the shop", () => {
  const toNear = (row: readonly Simple[]) =>
    row.map((value) => (typeof value === 'number' ? Number(value.toPrecision(11)) : value));

  afterAll(() => clickhouse!.close());

  it.each(QUESTIONS)('returns the expected rows: %s', async (question) => {
    const found = compileQuestion(question, 'clickhouse');
    if ('refusal' in found) {
      expect(found.refusal).not.toBe('');
      return;
    }
    const rows = await clickhouse!.run(found.sql);
    expect(rows.map(toNear)).toEqual(readJson<Simple[][]>(question, 'rows.json').map(toNear));
  });
});
