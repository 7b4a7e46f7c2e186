import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createModelIndex } from '../../../src/semantic/model/index/index-model.ts';
import type { Platform } from '../../../src/semantic/model/model.ts';
import { type ParseStatements, prepareParser } from '../../../src/semantic/syntax/parse-statements.ts';
import { answerStatements } from '../../../src/semantic/translate/answer-statements.ts';
import { rotate } from '../../support/rotation.ts';
import { createDimension, createEntity, createMeasure, createModel } from '../shop.ts';
import { openSchema, type ShopDatabase } from '../shop-database.ts';
import { findChanges, listMoments, ZONES } from '../translate/zone-cases.ts';

let parse: ParseStatements;
let database: ShopDatabase;

beforeAll(async () => {
  parse = await prepareParser();
  database = await openSchema('duckdb', []);
});
afterAll(() => database.close());

const dimensions = [
  createDimension({ name: 'id', dataType: 'INTEGER' }),
  createDimension({ name: 'kind', dataType: 'INTEGER' }),
  createDimension({ name: 'price', dataType: 'DECIMAL' }),
  createDimension({ name: 'share', dataType: 'FLOAT' }),
  createDimension({ name: 'ts', dataType: 'DATETIME' }),
  createDimension({ name: 'ts_month', dataType: 'DATE', expr: 'ts', grain: 'month' }),
  createDimension({ name: 'other', dataType: 'DATETIME' }),
];
const measures = [
  createMeasure({ name: 'n', aggregation: 'COUNT', expr: '*', dataType: 'INTEGER' }),
  createMeasure({ name: 'mean', aggregation: 'AVG', expr: 'price', dataType: 'FLOAT' }),
  createMeasure({
    name: 'odd',
    aggregation: 'SUM',
    expr: 'price',
    filter: 'id % 2 = 1',
    dataType: 'DECIMAL',
  }),
];
const entity = createEntity({
  name: 'moments',
  source: { kind: 'table', name: 'moments' },
  dimensions,
  measures,
});

function compile(text: string, timezone: string, platform: Platform = 'duckdb'): string {
  const model = createModel([entity], { platform, timezone });
  const [answer] = answerStatements({ model, index: createModelIndex(model) }, parse(text), {
    strict: false,
  });
  return answer!.sql;
}

async function fill(moments: readonly number[]): Promise<void> {
  await database.execute(`CREATE OR REPLACE TABLE moments AS
    SELECT row_number() OVER () AS id, id % 3 AS kind, NULLIF(id % 7, 0) / 4 :: DECIMAL(9, 2) AS price, sqrt(id) AS share,
      make_timestamp(ms * 1000) AS ts, ts AS other FROM unnest([${moments.join(', ')}]) AS m(ms)
    UNION ALL SELECT -1, 1, 2, 3, NULL, NULL`);
}

const ADDITIVE = [
  ...['n', 'mean', 'odd', 'COUNT(price)', 'SUM(id)', 'AVG(id)', 'SUM(share)', 'AVG(share)'],
  ...['MIN(ts)', 'MAX(price)', 'SUM(price) FILTER (WHERE kind = 1)', 'MIN(kind) + COUNT(*)'],
].map((text, at) => `${text} AS m${at}`);

const round = (value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(11)) : value);

/** The rows of both forms: with COUNT(DISTINCT), every row is converted. */
async function askBoth(keys: string, aggregates: readonly string[], timezone: string) {
  const short = compile(`SELECT ${keys}, ${aggregates.join(', ')} FROM moments`, timezone);
  const whole = compile(
    `SELECT ${keys}, ${aggregates.join(', ')}, COUNT(DISTINCT id) AS every FROM moments`,
    timezone,
  );
  expect(whole).not.toContain('#quarter');
  const print = (rows: readonly (readonly unknown[])[]) =>
    rows.map((row) => JSON.stringify(row.map(round))).sort();
  const found = print(await database.run(short));
  const due = print((await database.run(whole)).map((row) => row.slice(0, -1)));
  return { short, found, due };
}

const KEYS = [
  'ts_month',
  "DATE_TRUNC('day', ts) AS k",
  "DATE_TRUNC('week', ts) AS k, ts_month, EXTRACT(YEAR FROM ts) AS y",
  "DATE_TRUNC('year', DATE_TRUNC('quarter', ts)) AS k",
  "DATE_TRUNC('hour', ts) AS k",
  'EXTRACT(DOW FROM ts) AS k, EXTRACT(HOUR FROM ts) AS h',
  "EXTRACT(DOY FROM DATE_TRUNC('hour', ts)) AS k",
  "CAST(ts AT TIME ZONE 'Australia/Lord_Howe' AS DATE) AS k",
  "DATE_TRUNC('hour', ts + INTERVAL '7 minutes') AS k",
];

describe('local periods', () => {
  it.each(ZONES)('have the rows that converted rows have, in %s', async (zone) => {
    const changes = findChanges(zone);
    await fill(listMoments(changes.length === 0 ? [Date.UTC(2024, 1, 1)] : changes, 600));
    for (const keys of KEYS) {
      const { short, found, due } = await askBoth(keys, ADDITIVE, zone);
      expect(found, keys).toEqual(due);
      expect(short.includes('#quarter'), keys).toBe(zone !== 'UTC' || keys.includes('Lord_Howe'));
    }
  });

  it('are right at each change of clocks since 2011, in every time zone', { timeout: 120_000 }, async () => {
    const [from, days] = [Date.UTC(2011, 0, 1), 86_400_000];
    const others = Array.from({ length: 100 }, (_, at) => from + ((at * 0x9e3779b1) % (27 * 365 * days)));
    const zones = rotate(Intl.supportedValuesOf('timeZone'));
    for (const zone of ['America/St_Johns', 'Antarctica/Casey', ...zones]) {
      const changes = [...findChanges(zone, from, 15 * days), Date.UTC(2012, 0, 1)];
      await fill([...listMoments(changes, Number.POSITIVE_INFINITY), ...others]);
      const { found, due } = await askBoth("DATE_TRUNC('hour', ts) AS k", ['n', 'SUM(id) AS total'], zone);
      expect(found, zone).toEqual(due);
    }
  });

  it('are grouped twice only where that is faster and possible', () => {
    const isGrouped = (text: string, zone = 'Europe/Berlin', platform: Platform = 'duckdb') =>
      compile(`SELECT ${text} FROM moments`, zone, platform).includes('#quarter');
    expect(isGrouped('ts_month, n')).toBe(true);
    expect(isGrouped('ts_month')).toBe(true);
    expect(isGrouped("ts_month, DATE_TRUNC('hour', ts), mean")).toBe(true);
    for (const text of [
      'n',
      'kind, ts_month, n',
      "ts_month, DATE_TRUNC('day', other) AS day, n",
      "DATE_TRUNC('minute', ts), n",
      'CAST(ts AS TIMESTAMP), n',
      'EXTRACT(MINUTE FROM ts), n',
      'ts_month, MEDIAN(price)',
      'ts_month, COUNT(DISTINCT kind)',
    ]) {
      expect(isGrouped(text), text).toBe(false);
    }
    expect(isGrouped('ts_month, n', 'UTC')).toBe(false);
    expect(isGrouped('ts_month, n', 'Antarctica/Casey')).toBe(false);
    expect(isGrouped('ts_month, n', 'Europe/Berlin', 'postgresql')).toBe(false);
  });

  it('keep conditions, the order and the limit of a question', async () => {
    await fill([0, 1, 40, 80].map((day) => Date.UTC(2026, 2, 31, 21, 59 + day)));
    const sql = compile(
      'SELECT ts_month, n, SUM(id) AS ids FROM moments WHERE id > 0 HAVING n > 1 ORDER BY mean DESC, 1 LIMIT 2',
      'Europe/Berlin',
    );
    expect(sql).toContain('#quarter');
    expect(await database.run(sql)).toEqual([['2026-04-01', 3, 9]]);
  });
});
