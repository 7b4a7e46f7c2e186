import { afterAll, describe, expect, it } from 'vitest';
import { chooseRows } from '../../../web/components/results/compute/choose-rows.ts';
import { createRowTest, type FilterOperator } from '../../../web/components/results/compute/filters.ts';
import { createPace } from '../../../web/components/results/compute/pace.ts';
import { parseInterval } from '../../../web/components/results/compute/parse-interval.ts';
import { summarizeColumn } from '../../../web/components/results/compute/summarize-column.ts';
import type { ResultSource } from '../../../web/components/results/source/result-source.ts';
import { query } from '../../engine/connection/results.ts';
import { openMemory } from '../../engine/result/encode.ts';
import { readSource } from './arrow-bytes.ts';

const connection = await openMemory();
afterAll(() => connection.close());

const pace = () => createPace(new AbortController().signal);

/** A column of these SQL values with their numbers. */
function readColumn(values: readonly string[]): Promise<ResultSource> {
  const rows = values.map((value, i) => `SELECT ${value} AS x, ${i} AS i`);
  return readSource(connection, `SELECT x FROM (${rows.join(' UNION ALL ')}) ORDER BY i`);
}

async function sort(source: ResultSource, isDescending = false): Promise<readonly (string | null)[]> {
  const rows = await chooseRows(source, { filters: [], sorting: { column: 0, isDescending } }, pace());
  return Array.from(rows, (row) => source.getText(row, 0));
}

describe('sorting', () => {
  it.each([
    [
      'integers',
      ['9007199254740993', 'NULL', '9007199254740992', '-5'],
      ['-5', '9007199254740992', '9007199254740993', null],
    ],
    ['decimals', ['2.50', '-0.01', '10.00'], ['-0.01', '2.50', '10.00']],
    [
      'doubles',
      ["'nan'::DOUBLE", '1::DOUBLE', "'inf'::DOUBLE", '-2.5::DOUBLE', "'-inf'::DOUBLE"],
      ['-inf', '-2.5', '1.0', 'inf', 'nan'],
    ],
    ['texts', ["'b'", "''", "'a'", "'B'", 'NULL'], ['', 'B', 'a', 'b', null]],
    [
      'dates',
      ["DATE '2024-01-02'", "'infinity'", "'0044-03-15 (BC)'"],
      ['0044-03-15 (BC)', '2024-01-02', 'infinity'],
    ],
    ['truth values', ['true', 'false', 'NULL'], ['false', 'true', null]],
    [
      'long integers',
      ["'100000000000000000000000000000000000000000'::BIGNUM", '-5', '20'],
      ['-5', '20', '100000000000000000000000000000000000000000'],
    ],
  ])('orders %s as the database does', async (_, values, expected) => {
    const source = await readColumn(values);
    expect(await sort(source)).toEqual(expected);
    const present = expected.filter((text) => text !== null);
    const absent = expected.filter((text) => text === null);
    expect(await sort(source, true)).toEqual([...present.toReversed(), ...absent]);
  });

  it.each([
    ['lists', 'list_transform(range(i % 4), lambda x: CASE WHEN i * x % 5 < 4 THEN (i * 7 + x) % 3 END)'],
    ['lists of decimals', '[(i * 37 % 100 - 50) * 0.25]'],
    ['arrays', '[i % 3, i % 11]::INTEGER[2]'],
    ['nested lists', '[[i % 2, NULL], CASE WHEN i % 3 > 0 THEN [i % 5] END]'],
    ['structs', "{'a': CASE WHEN i % 4 > 0 THEN i % 3 END, 'b': 'b' || i % 12, 'c': DATE '2024-01-01'}"],
    ['structs of intervals', "{'a': to_days((i * 7 % 40)::INTEGER), 'b': to_months((i % 2)::INTEGER)}"],
    ['maps', "map([i % 3, 9], [CASE WHEN i % 5 > 0 THEN 'v' || i % 12 END, 'x'])"],
    ['bytes in lists', '[encode(chr((97 + i % 5)::INTEGER))]'],
    ['intervals', 'to_months((i % 5 - 2)::INTEGER) + to_days((i * 7 % 70)::INTEGER) - to_hours(i % 50)'],
    ['long intervals', 'to_years((i % 3)::INTEGER) + to_days((i * 181 % 800)::INTEGER) + to_microseconds(i)'],
  ])('orders %s as the database does', async (_, value) => {
    const rows = `SELECT i, ${value} AS x FROM range(290) r(i) UNION ALL SELECT 290 + i, NULL FROM range(10) r(i)`;
    const source = await readSource(connection, `SELECT x FROM (${rows}) ORDER BY i`);
    expect(source.rowCount).toBe(300);
    for (const isDescending of [false, true]) {
      const order = isDescending ? 'DESC NULLS LAST' : 'NULLS LAST';
      const expected = await readSource(connection, `SELECT x FROM (${rows}) ORDER BY x ${order}, i`);
      expect(await sort(source, isDescending)).toEqual(
        Array.from({ length: 300 }, (__, row) => expected.getText(row, 0)),
      );
    }
  });

  it.each([
    'i * 7919 % 100',
    "'t' || i * 7919 % 100",
    '9007199254740993 + i * 7919 % 100',
    "CASE i % 5 WHEN 0 THEN 'nan'::DOUBLE ELSE i * 7919 % 100 END",
    '(i * 7919 % 100 / 8)::DECIMAL(18, 3)',
  ])('keeps equal rows in their order, among many: %s', async (value) => {
    const source = await readSource(connection, `SELECT ${value} AS x, i FROM range(25000) r(i)`);
    const rows = await chooseRows(
      source,
      { filters: [], sorting: { column: 0, isDescending: true } },
      pace(),
    );
    const expected = await readSource(
      connection,
      `SELECT i FROM (SELECT ${value} AS x, i FROM range(25000) r(i)) ORDER BY x DESC, i`,
    );
    expect(rows.length).toBe(25_000);
    expect(Array.from(rows, BigInt)).toEqual(
      Array.from({ length: 25_000 }, (_, row) => expected.getValue(row, 0)),
    );
  });

  it('ends when it is no longer wanted', async () => {
    const source = await readSource(connection, 'SELECT * FROM range(100000)');
    const stop = new AbortController();
    const sorting = chooseRows(
      source,
      { filters: [], sorting: { column: 0, isDescending: true } },
      createPace(stop.signal),
    );
    stop.abort();
    await expect(sorting).rejects.toThrow('aborted');
  });
});

describe('the length of an interval', () => {
  it.each([
    ['1 year 2 mons -3 days +04:05:06.789', 36_043_506_789_000n],
    ['-1 days -00:00:00.5', -86_400_500_000n],
    ['3 04:05:06.789', 273_906_789_000n],
    ['-3 04:05:06.789', -273_906_789_000n],
    ['1-2', 36_288_000_000_000n],
    ['-0-1', -2_592_000_000_000n],
    ['00:00:00', 0n],
    ['-infinity', Number.NEGATIVE_INFINITY],
    ['2 parsecs', null],
    ['', null],
  ])('%s is known, as other databases print it', (text, length) => {
    expect(parseInterval(text)).toBe(length);
  });
});

describe('a filter', () => {
  const rows = (source: ResultSource, operator: FilterOperator, operand = '') => {
    const test = createRowTest(source, { column: 0, operator, operand });
    if (test === null) return null;
    return Array.from({ length: source.rowCount }, (_, row) => row).filter(test);
  };

  it('compares numbers exactly', async () => {
    const integers = await readColumn(['9007199254740993', '9007199254740992', 'NULL']);
    expect(rows(integers, 'equals', '9007199254740993')).toEqual([0]);
    expect(rows(integers, 'less', '9007199254740992.5')).toEqual([1]);
    expect(rows(integers, 'not equals', '0')).toEqual([0, 1]);
    const decimals = await readColumn(['12.30', '-0.01', '100.00']);
    expect(rows(decimals, 'equals', '12.3')).toEqual([0]);
    expect(rows(decimals, 'at least', '12.300')).toEqual([0, 2]);
    expect(rows(decimals, 'at most', '-.010')).toEqual([1]);
    expect(rows(decimals, 'greater', '12.2999999999')).toEqual([0, 2]);
    const doubles = await readColumn(['1.5::DOUBLE', "'nan'::DOUBLE", "'-inf'::DOUBLE"]);
    expect(rows(doubles, 'equals', 'NaN')).toEqual([1]);
    expect(rows(doubles, 'less', '2e0')).toEqual([0, 2]);
  });

  it('compares dates and times', async () => {
    const days = await readColumn(["DATE '2024-01-02'", "DATE '2023-12-31'", 'NULL']);
    expect(rows(days, 'at least', '2024-01-01')).toEqual([0]);
    const instants = await readColumn(["TIMESTAMP '2024-01-02 03:04:05.000001'", "TIMESTAMP '2024-01-02'"]);
    expect(rows(instants, 'greater', '2024-01-02 03:04:05')).toEqual([0]);
    expect(rows(instants, 'equals', '2024-01-02')).toEqual([1]);
    const clocks = await readColumn(["TIME '03:04:05'", "TIME '23:00:00'"]);
    expect(rows(clocks, 'less', '12:00')).toEqual([0]);
    const lengths = await readColumn(["INTERVAL '1 month'", "INTERVAL '29 days'", "INTERVAL '-1 year'"]);
    expect(rows(lengths, 'equals', '30 days')).toEqual([0]);
    expect(rows(lengths, 'less', '720:00:00')).toEqual([1, 2]);
  });

  it('compares texts, and finds parts of them without regard to case', async () => {
    const source = await readColumn(["'Apple pie'", "''", 'NULL', "'NULL'"]);
    expect(rows(source, 'contains', 'PIE')).toEqual([0]);
    expect(rows(source, 'equals', '')).toEqual([1]);
    expect(rows(source, 'is NULL')).toEqual([2]);
    expect(rows(source, 'is not NULL')).toEqual([0, 1, 3]);
    expect(rows(source, 'equals', 'NULL')).toEqual([3]);
  });

  it.each([
    ['1', 'x'],
    ['1.5', '1,5'],
    ["DATE '2024-01-02'", '2024-02-30'],
    ["TIMESTAMP '2024-01-02'", 'yesterday'],
    ["TIME '01:00'", '25:00'],
    ["INTERVAL '1 day'", '1 fortnight'],
    ["INTERVAL '1 day'", ''],
    ['true', 'yes'],
    ['1::DOUBLE', ''],
  ])('of a column with %s has no operand %s', async (value, operand) => {
    expect(rows(await readColumn([value]), 'equals', operand)).toBeNull();
  });
});

describe('the summary of a column', () => {
  const summarize = async (sql: string, column = 0) => {
    const source = await readSource(connection, sql);
    const rows = Uint32Array.from({ length: source.rowCount }, (_, row) => row);
    return summarizeColumn(source, rows, column, pace());
  };

  it('counts, and has the exact extremes', async () => {
    const summary = await summarize(
      'SELECT CASE WHEN i % 10 > 0 THEN 9007199254740992 + i % 7 END FROM range(1000) r(i)',
    );
    expect(summary).toMatchObject({
      rows: 1_000,
      nulls: 100,
      distinct: 7,
      min: '9007199254740992',
      max: '9007199254740998',
    });
    expect(summary.bins.length).toBe(7);
    expect(summary.bins.reduce((sum, { count }) => sum + count, 0)).toBe(900);
  });

  it('has a histogram of numbers and times, and the most frequent values', async () => {
    const numbers = await summarize('SELECT i / 10.0 FROM range(1000) r(i)');
    expect(numbers).toMatchObject({ distinct: 1_000, min: '0.0', max: '99.9', top: [] });
    expect(numbers.mean).toBeCloseTo(49.95);
    expect(numbers.bins.length).toBe(24);
    expect(numbers.bins.reduce((sum, { count }) => sum + count, 0)).toBe(1_000);
    const days = await summarize("SELECT DATE '2024-01-01' + (i % 3)::INTEGER FROM range(10) r(i)");
    expect(days.top[0]).toEqual({ text: '2024-01-01', count: 4 });
    expect(days.mean).toBeNull();
    expect(days.bins[0]?.from).toBe(Date.UTC(2024, 0, 1));
  });

  it('has the quartiles of the database', async () => {
    const listings = [
      'SELECT i * 1.5 AS x FROM range(10) r(i)',
      'SELECT 7 AS x',
      'SELECT (hash(i) % 100000)::INTEGER - 50000 AS x FROM range(50001) r(i)',
      'SELECT CASE WHEN i % 3 > 0 THEN i / 7 - 1e6 END AS x FROM range(20000) r(i)',
      'SELECT -9007199254740993 AS x',
      'SELECT i % 2 AS x FROM range(4) r(i)',
    ];
    for (const sql of listings) {
      const { quartiles } = await summarize(sql);
      const rows = await query(
        connection,
        `SELECT quantile_cont(x::DOUBLE, 0.25), quantile_cont(x::DOUBLE, 0.5), quantile_cont(x::DOUBLE, 0.75) FROM (${sql})`,
      );
      const found = [quartiles?.lower, quartiles?.median, quartiles?.upper];
      const expected = rows[0]?.map(Number) ?? [];
      for (const [i, value] of found.entries()) expect(value, sql).toBeCloseTo(expected[i]!, 6);
    }
  });

  it('has dates that occur as quartiles, and no quartiles of texts or of nothing', async () => {
    const sql = "SELECT DATE '2024-01-01' + i::INTEGER AS x FROM range(10) r(i)";
    const { quartiles } = await summarize(sql);
    const day = (date: number) => Date.UTC(2024, 0, date);
    expect(quartiles).toEqual({ lower: day(3), median: day(5), upper: day(8) });
    const found = 'quantile_disc(x, 0.25), quantile_disc(x, 0.5), quantile_disc(x, 0.75)';
    const rows = await query(connection, `SELECT ${found} FROM (${sql})`);
    expect(rows[0]).toEqual([3, 5, 8].map((date) => day(date) / 86_400_000));
    expect((await summarize("SELECT 'x'")).quartiles).toBeNull();
    expect((await summarize('SELECT NULL::INTEGER FROM range(3)')).quartiles).toBeNull();
    expect((await summarize("SELECT 'nan'::DOUBLE UNION ALL SELECT 4")).quartiles?.median).toBe(4);
  });

  it('of intervals and of lists has the extremes of their order', async () => {
    const lengths = await summarize('SELECT to_days((9 + i)::INTEGER) FROM range(3) r(i)');
    expect(lengths).toMatchObject({ distinct: 3, min: '9 days', max: '11 days' });
    const lists = await summarize('SELECT [9 + i] FROM range(4) r(i) UNION ALL SELECT [10]');
    expect(lists).toMatchObject({ distinct: 4, min: '[9]', max: '[12]' });
    expect(lists.top[0]).toEqual({ text: '[10]', count: 2 });
  });

  it('of texts, of one value, of nothing', async () => {
    expect(await summarize("SELECT 'x'")).toMatchObject({
      distinct: 1,
      min: 'x',
      max: 'x',
      bins: [],
      mean: null,
    });
    expect((await summarize('SELECT 5 FROM range(3)')).bins).toEqual([{ from: 5, to: 5, count: 3 }]);
    expect(await summarize('SELECT NULL::INTEGER FROM range(3)')).toEqual({
      quartiles: null,
      rows: 3,
      nulls: 3,
      distinct: 0,
      min: null,
      max: null,
      mean: null,
      bins: [],
      top: [],
    });
    expect((await summarize('SELECT 1 WHERE false')).rows).toBe(0);
  });

  it('counts different values only up to a limit', async () => {
    expect((await summarize("SELECT 'v' || i FROM range(100002) r(i)")).distinct).toBeNull();
    expect((await summarize("SELECT repeat('x', 500000) || i FROM range(40) r(i)")).distinct).toBeNull();
  });
});
