import { afterAll, describe, expect, it } from 'vitest';
import { compileQuery } from '../../src/semantic/compile/compile-query.ts';
import { createModelIndex } from '../../src/semantic/model/index/index-model.ts';
import { DIALECTS } from '../../src/semantic/sql/dialects.ts';
import { ask } from './ask.ts';
import { createDimension, createEntity, createMeasure, createModel } from './shop.ts';
import { hasPlatform, shareShop } from './shop-database.ts';
import { startShopRunners } from './shop-runners.ts';

const NUMBER = { '-inf': "'-Infinity'", inf: "'Infinity'", nan: "'NaN'", null: 'NULL' } as const;

/** Groups of floating-point values, and their median. */
const GROUPS: readonly (readonly [
  values: readonly (number | keyof typeof NUMBER)[],
  median: number | null,
])[] = [
  [['-inf', '-inf'], Number.NEGATIVE_INFINITY],
  [['inf', 'inf', 'inf', 'inf'], Number.POSITIVE_INFINITY],
  [['inf', 1], Number.POSITIVE_INFINITY],
  [['-inf', 'inf'], Number.NaN],
  [['-inf', 3, 'inf'], 3],
  [['nan', 1, 2], 2],
  [['nan', 1], Number.NaN],
  [[1, 2], 1.5],
  [[5, 1, 'null', 2], 2],
  [[1e308, 1e308], 1e308],
  [['null'], null],
];

const rows = GROUPS.flatMap(([values], at) =>
  values.map((value) => {
    const text = typeof value === 'number' ? String(value) : NUMBER[value];
    return `SELECT ${at} AS g, CAST(${text} AS DOUBLE PRECISION) AS x`;
  }),
);
const entity = createEntity({
  name: 'samples',
  source: { kind: 'query', sql: rows.join(' UNION ALL ') },
  dimensions: [createDimension({ name: 'g', dataType: 'INTEGER' })],
  measures: [createMeasure({ name: 'median', dataType: 'FLOAT', aggregation: 'MEDIAN', expr: 'x' })],
});

describe.each(['duckdb', 'postgresql'] as const)('the median of FLOATs on %s', (platform) => {
  const shop = shareShop(platform);

  it.runIf(hasPlatform(platform))('is half of each value in the middle, also of infinities', async () => {
    const model = createModel([entity], { platform });
    const question = ask('samples.g', 'samples.median', {
      orderBy: [{ field: { entity: 'samples', field: 'g' }, desc: false }],
    });
    const { sql } = compileQuery(createModelIndex(model), question, {
      dialect: platform,
      strict: false,
    });
    expect(await shop.run(sql)).toEqual(GROUPS.map(([, median], at) => [at, median]));
  });
});

/** Groups of exact values, and their exact median; NULL without values. */
const EXACT = {
  DECIMAL: [
    [
      ['1234567890123456789012345678901234.567', '1234567890123456789012345678901234.568'],
      '1234567890123456789012345678901234.5675',
    ],
    [['-9999999999999999999999999999999999.999', '9999999999999999999999999999999999.998'], '-0.0005'],
    [['9999999999999999999999999999999999.999'], '9999999999999999999999999999999999.999'],
    [['0.003', null, '0.001', '0.001', '0.002'], '0.0015'],
    [['7', '-1', '3'], '3'],
    [[null], null],
  ],
  INTEGER: [
    [['-9223372036854775808', '-9223372036854775807'], '-9223372036854775807.5'],
    [['-9223372036854775808', '9223372036854775807'], '-0.5'],
    [['9223372036854775807', '9223372036854775806', '9223372036854775805', '1'], '9223372036854775805.5'],
    [['-9223372036854775808', '-9223372036854775808', '5'], '-9223372036854775808'],
    [[null, '4'], '4'],
    [[null], null],
  ],
} as const;

const { runners, close } = await startShopRunners();
afterAll(close);

describe.each(runners)('medians of exact numbers on %s', (platform, hasIt, open) => {
  const dialect = DIALECTS[platform];

  it.runIf(hasIt).each(['DECIMAL', 'INTEGER'] as const)('have every digit: %s', async (type) => {
    const as = type === 'DECIMAL' ? dialect.types.DECIMAL.replace('#', '37, 3') : dialect.types.INTEGER;
    const exact = EXACT[type].flatMap(([values], at) =>
      values.map(
        (value) => `SELECT ${at} AS g, CAST(${value === null ? 'NULL' : `'${value}'`} AS ${as}) AS x`,
      ),
    );
    const [median, sum] = (['MEDIAN', 'SUM'] as const).map((aggregation) =>
      createMeasure({ name: aggregation.toLowerCase(), dataType: 'DECIMAL', aggregation, expr: 'x' }),
    );
    const numbers = createEntity({
      name: 'numbers',
      source: { kind: 'query', sql: exact.join(' UNION ALL ') },
      dimensions: [createDimension({ name: 'g', dataType: 'INTEGER' })],
      measures: [median!, { ...sum!, expr: '1' }],
    });
    const question = ask('numbers.g', 'numbers.median, numbers.sum');
    const index = createModelIndex(createModel([numbers], { platform }));
    const { sql } = compileQuery(index, question, { dialect: platform, strict: false });
    const due = EXACT[type].map(([values, value], at) => {
      const isDue = value === null ? 'median IS NULL' : `median = ${dialect.literals.number(value)}`;
      return `(g = ${at} AND ${isDue} AND ${dialect.quoteName('sum')} = ${values.length})`;
    });
    const database = await open();
    const [[count] = []] = await database.run(
      `SELECT COUNT(*) AS n FROM (\n${sql}\n) AS medians WHERE ${due.join(' OR ')}`,
    );
    await database.close();
    expect(count).toBe(EXACT[type].length);
  });
});
