import { beforeAll, describe, expect, it } from 'vitest';
import { createModelIndex } from '../../../src/semantic/model/index/index-model.ts';
import { type ParseStatements, prepareParser } from '../../../src/semantic/syntax/parse-statements.ts';
import { answerStatements } from '../../../src/semantic/translate/answer-statements.ts';
import { createDimension, createEntity, createMeasure, createModel } from '../shop.ts';
import { hasPlatform, type Simple, shareShop } from '../shop-database.ts';

let parse: ParseStatements;
beforeAll(async () => {
  parse = await prepareParser();
});

const TIMES = ['2026-03-15 12:00', '2026-03-31 22:00', '2026-04-01 02:00', '2026-04-10 12:00'];
const source = {
  kind: 'query',
  sql: TIMES.map((time) => `SELECT TIMESTAMP '${time}:00' AS ts, CAST('2026-04-01' AS DATE) AS due`).join(
    ' UNION ALL ',
  ),
} as const;
const orders = createEntity({
  name: 'orders',
  source,
  dimensions: [
    createDimension({ name: 'ts', dataType: 'DATETIME' }),
    createDimension({ name: 'ts_month', dataType: 'DATE', expr: 'ts', grain: 'month' }),
    createDimension({ name: 'due', dataType: 'DATE' }),
  ],
  measures: [createMeasure({ name: 'n', dataType: 'INTEGER', aggregation: 'COUNT', expr: '*' })],
});

const at = (text: string) => Date.parse(`${text}Z`) * 1000;

/** Statements and their rows in New York: the third order is there on the 31st of March. */
const CASES: readonly (readonly [text: string, rows: readonly (readonly Simple[])[]])[] = [
  ["SELECT n FROM orders WHERE DATE_TRUNC('month', ts) = DATE '2026-03-01'", [[3]]],
  ["SELECT n FROM orders WHERE DATE_TRUNC('month', ts) = '2026-03-01'", [[3]]],
  [
    "SELECT CAST(DATE_TRUNC('month', ts) AS DATE) AS month, n FROM orders GROUP BY 1 ORDER BY 1",
    [
      ['2026-03-01', 3],
      ['2026-04-01', 1],
    ],
  ],
  ["SELECT EXTRACT(MONTH FROM DATE_TRUNC('month', ts)) AS m FROM orders GROUP BY 1 ORDER BY 1", [[3], [4]]],
  ["SELECT n FROM orders WHERE ts >= DATE_TRUNC('month', TIMESTAMP '2026-04-15')", [[1]]],
  ["SELECT n FROM orders WHERE ts >= DATE '2026-04-01'", [[1]]],
  // Midnight in New York.
  ["SELECT n FROM orders WHERE DATE_TRUNC('day', ts) >= CAST('2026-03-31 04:00Z' AS TIMESTAMPTZ)", [[3]]],
  ["SELECT n FROM orders WHERE DATE_TRUNC('day', ts) > CAST('2026-03-31 04:00Z' AS TIMESTAMPTZ)", [[1]]],
  ["SELECT COUNT(*) FILTER (WHERE ts_month = '2026-03-01') AS c FROM orders", [[3]]],
  ["SELECT SUM(CASE WHEN ts::date = '2026-03-31' THEN 1 END) AS c FROM orders", [[2]]],
  ['SELECT n FROM orders WHERE ts >= due', [[1]]],
  ["SELECT n FROM orders WHERE ts BETWEEN TIMESTAMP '2026-03-31 18:00' AND '2026-03-31 22:00'", [[2]]],
  ["SELECT n FROM orders WHERE ts = TIMESTAMP '2026-04-01 02:00:00Z'", [[1]]],
  [
    "SELECT DATE_TRUNC('hour', ts) AS hour FROM orders GROUP BY 1 ORDER BY 1 LIMIT 1",
    [[at('2026-03-15T08:00:00')]],
  ],
  // Days that meet: of a result with a result, and of a result with a literal.
  [
    `WITH a AS (SELECT DATE_TRUNC('day', ts) AS day, n FROM orders GROUP BY 1),
      b AS (SELECT DATE_TRUNC('day', ts) AS day, COUNT(*) AS c FROM orders GROUP BY 1)
    SELECT a.day, a.n, b.c FROM a JOIN b ON a.day = b.day ORDER BY 1`,
    [
      ['2026-03-15', 1, 1],
      ['2026-03-31', 2, 2],
      ['2026-04-10', 1, 1],
    ],
  ],
  [
    "WITH a AS (SELECT DATE_TRUNC('month', ts) AS month, n FROM orders GROUP BY 1) SELECT n FROM a WHERE month = DATE '2026-03-01'",
    [[3]],
  ],
  // A result keeps moments, which the layer's time zone compares and truncates.
  ["SELECT COUNT(*) FROM (SELECT ts FROM orders GROUP BY 1) t WHERE ts < DATE '2026-04-01'", [[3]]],
  [
    "SELECT DATE_TRUNC('month', ts) AS month, COUNT(*) FROM (SELECT ts FROM orders GROUP BY 1) t GROUP BY 1 ORDER BY 1",
    [
      ['2026-03-01', 3],
      ['2026-04-01', 1],
    ],
  ],
  // A day next to moments is its first moment: midnight in New York.
  [
    "SELECT ts FROM orders WHERE ts > DATE '2026-04-05' UNION SELECT due FROM orders ORDER BY 1",
    [[at('2026-04-01T04:00:00')], [at('2026-04-10T12:00:00')]],
  ],
  [
    "SELECT x FROM (VALUES (DATE '2026-04-01'), (TIMESTAMP '2026-04-02 10:00')) t (x) ORDER BY 1 LIMIT 1",
    [[at('2026-04-01T00:00:00')]],
  ],
];

describe.each(['duckdb', 'postgresql'] as const)('dates in New York on %s', (platform) => {
  const model = createModel([orders], { platform, timezone: 'America/New_York' });
  const asked = { model, index: createModelIndex(model) };
  const shop = shareShop(platform);

  it.runIf(hasPlatform(platform)).each(CASES)('%s', async (text, rows) => {
    const [answer] = answerStatements(asked, parse(text), { strict: false });
    expect(await shop.run(answer!.sql)).toEqual(rows);
  });
});

it.each([
  ["DATE '2026-01-31' + INTERVAL '1 month'", "DATE '2026-02-28'"],
  ["DATE '2026-01-31' + INTERVAL '90 minutes'", "TIMESTAMP '2026-01-31 01:30:00'"],
  ["TIMESTAMP '2026-03-08 01:30' + INTERVAL '1 hour'", "TIMESTAMP '2026-03-08 02:30:00'"],
  ["DATE_TRUNC('week', TIMESTAMP '2026-04-15 10:00')", "DATE '2026-04-13'"],
  ["CAST(TIMESTAMP '2026-03-08 02:30' AS TIMESTAMPTZ)", "TIMESTAMP '2026-03-08 07:30:00'"],
  ["CAST(TIMESTAMP '2026-11-01 01:30' AS TIMESTAMPTZ)", "TIMESTAMP '2026-11-01 06:30:00'"],
  ["DATE '2026-01-31' + 2 * INTERVAL '-1' MONTH", "DATE '2025-11-30'"],
  ["DATEADD('qtr', 1 + 1, '2026-01-31')", "DATE '2026-07-31'"],
  ["DATE '2026-03-01' - 30", "DATE '2026-01-30'"],
  ["2 * 15 + DATE '2026-03-01'", "DATE '2026-03-31'"],
  ["DATEDIFF(minute, '2026-01-04', '2026-01-05 10:01')", '2041'],
  ["DATEDIFF(month, TIMESTAMP '2026-01-31 23:59:59', TIMESTAMP '2026-02-01 04:00Z')", '0'],
  ["CAST('20260131' AS DATE)", "DATE '2026-01-31'"],
  ["TO_DATE('2026' || '-1-' || 5, 'YYYY-MM-DD')", "DATE '2026-01-05'"],
  ["TO_DATE('20260105', 'YYYYMMDD')", "DATE '2026-01-05'"],
  [
    "TO_TIMESTAMP(CONCAT('2026-3-8', ' 01:30:00'), 'YYYY-MM-DD HH24:MI:SS')",
    "TIMESTAMP '2026-03-08 06:30:00'",
  ],
  ["DATE '2026-01-31' + CAST(1 + 1 || ' days' AS INTERVAL)", "DATE '2026-02-02'"],
  ["CAST(DATE '2026-01-31' + INTERVAL '90 minutes' AS TEXT)", "'2026-01-31 01:30:00'"],
  ["TO_CHAR(TIMESTAMP '2026-03-08 06:30Z', 'YYYY-MM-DD HH24:MI:SS.MS')", "'2026-03-08 01:30:00.000'"],
  [
    "TO_CHAR(TIMESTAMP '2021-01-01 12:00:00.25', 'FMDay D ID DDD IYYY-IW HH12 PM US')",
    "'Friday 6 5 001 2020-53 12 PM 250000'",
  ],
  // Beyond the years 1 to 9999, the database decides.
  [
    "DATE '2026-01-01' + INTERVAL '9000 years'",
    "CAST(DATE '2026-01-01' + to_months(CAST(108000 AS INTEGER)) AS DATE)",
  ],
  [
    "DATE '0001-01-01' - INTERVAL '1 day'",
    "CAST(DATE '0001-01-01' - to_days(CAST(-(-1) AS INTEGER)) AS DATE)",
  ],
])('the constant %s is computed: %s', (text, sql) => {
  const model = createModel([orders], { timezone: 'America/New_York' });
  const [answer] = answerStatements({ model, index: createModelIndex(model) }, parse(`SELECT ${text} AS c`), {
    strict: false,
  });
  expect(answer!.sql).toBe(`SELECT ${sql} AS "c"`);
});

describe('refused dates', () => {
  it('of a time zone on a platform that only knows UTC', () => {
    const mysql = createModel([orders], { platform: 'mysql' });
    const text = "SELECT ts AT TIME ZONE 'Europe/Berlin' AS t FROM orders";
    expect(() =>
      answerStatements({ model: mysql, index: createModelIndex(mysql) }, parse(text), { strict: false }),
    ).toThrow('cannot be converted to or from the time zone Europe/Berlin on the platform mysql: it only');
  });

  const model = createModel([orders], { timezone: 'America/New_York' });
  const asked = { model, index: createModelIndex(model) };

  it('of a pattern with 1,000 parts', () => {
    const text = `SELECT TO_CHAR(ts, '${'YYYY '.repeat(1000)}') FROM orders`;
    expect(() => answerStatements(asked, parse(text), { strict: false })).toThrow(
      'a pattern can have at most 100 parts',
    );
  });

  it.each([
    [
      'SELECT n FROM orders WHERE ts IN (SELECT due FROM orders)',
      /IN takes values of one type, not DATETIME, DATE/,
    ],
    ["SELECT n FROM orders WHERE DATE_TRUNC('hour', ts) = '2026-03-31 10:00Z'", /not a valid TIMESTAMP/],
    [
      "SELECT ts AT TIME ZONE 'Europe/Berln' FROM orders",
      /unknown time zone `Europe\/Berln`.*Europe\/Berlin/,
    ],
    ["SELECT due AT TIME ZONE 'Europe/Berlin' FROM orders", /takes a TIMESTAMP or DATETIME, not DATE/],
    [
      "SELECT ts + INTERVAL '1 fortnight' FROM orders",
      /the unit must be a literal: one of INTERVAL '1 second', .*, INTERVAL '1 quarter'/,
    ],
    ["SELECT ts + INTERVAL '1 day' YEAR FROM orders", /the unit must be/],
    ["SELECT ts + 1.5 * INTERVAL '1 day' FROM orders", /An interval takes a count of INTEGER, not DECIMAL/],
    ['SELECT DATEADD(month, 10000000, ts) FROM orders', /longer than 9,999 years/],
    ["SELECT ts - INTERVAL '10000000 months' FROM orders", /longer than 9,999 years/],
    [
      'SELECT DATEADD(fortnight, 1, ts) FROM orders',
      /unit `fortnight` is not supported: write one of second/,
    ],
    ['SELECT DATEADD("day", 1, ts) FROM orders', /the unit must be a literal/],
    ["SELECT n FROM orders WHERE due = '2026-02-30'", /'2026-02-30' is not a valid DATE/],
    ["SELECT CAST('2026-02' || '-30' AS DATE) FROM orders", /'2026-02-30' is not a valid DATE/],
    ["SELECT TO_DATE('31.1.2024', 'DD.MM.YYYY') FROM orders", /write a text and the format 'YYYY-MM-DD'/],
    ['SELECT due || ts FROM orders', /\|\| takes a TEXT, and a TEXT, .*, not DATE, DATETIME/],
    ["SELECT 'at ' || ts FROM orders", /\|\| takes .*, not TEXT, DATETIME/],
    ['SELECT CAST(ts AS TEXT) FROM orders', /A DATETIME cannot be cast to TEXT/],
    ['SELECT DATEADD(day, ts, 1) FROM orders', /a count of INTEGER, not DATETIME/],
    ["SELECT DATEDIFF(day, 'north', ts) FROM orders", /'north' is not a valid DATETIME/],
    [
      'SELECT DATEDIFF(day, n, ts) FROM orders GROUP BY ts',
      /DATEDIFF takes a unit and two values of DATE, TIMESTAMP or DATETIME, not INTEGER, DATETIME/,
    ],
    ['SELECT DATEDIFF(ts, due) FROM orders', /DATEDIFF has the form `DATEDIFF\(day, /],
    ['SELECT DATE_ADD(ts, 1) FROM orders', /this must be an interval/],
    ["SELECT DATE_DIFF('day', ts, due) FROM orders", /`date_diff`: write DATEDIFF/],
  ])('%s', (text, message) => {
    expect(() => answerStatements(asked, parse(text), { strict: false })).toThrow(message);
  });
});
