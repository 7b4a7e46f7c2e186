import { describe, expect, it } from 'vitest';
import { compileQuery } from '../../src/semantic/compile/compile-query.ts';
import { createModelIndex } from '../../src/semantic/model/index/index-model.ts';
import { ask } from './ask.ts';
import { createDimension, createEntity, createMeasure, createModel } from './shop.ts';
import { hasPlatform, shareShop } from './shop-database.ts';

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
