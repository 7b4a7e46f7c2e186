import { describe, expect, it } from 'vitest';
import { createDiagnostic } from '../../src/engine/text/diagnostic.ts';
import type { ModelPlace, ModelPlaces } from '../../src/semantic/model/load/read-model.ts';
import type { Model } from '../../src/semantic/model/model.ts';
import { planModelTests } from '../../src/semantic/tests/plan-model-tests.ts';
import { createDimension, createEntity, createMeasure, createModel, createShop } from './shop.ts';
import { hasPlatform, RUNS, shareShop } from './shop-database.ts';

const source = { name: 'shop.yaml', text: '' };
const places: ModelPlaces = {
  createFinding: ({ key }: ModelPlace, message) =>
    createDiagnostic(source, { start: 0, end: 0 }, `${key}: ${message}`, 'model'),
};

const dimension = (name: string, dataType: Parameters<typeof createDimension>[0]['dataType'], expr: string) =>
  createDimension({ name, dataType, expr });
const measure = (
  name: string,
  dataType: Parameters<typeof createMeasure>[0]['dataType'],
  aggregation: Parameters<typeof createMeasure>[0]['aggregation'],
  expr: string,
) => createMeasure({ name, dataType, aggregation, expr });

const wrongEntities = [
  createEntity({
    name: 'orders',
    dimensions: [
      dimension('id', 'TEXT', 'id'),
      dimension('day', 'DATE', 'placed_at'),
      dimension('moment', 'DATETIME', 'ordered_on'),
      dimension('status', 'INTEGER', 'status'),
      dimension('paid', 'BOOLEAN', "status = 'paid'"),
      dimension('nothing', 'INTEGER', 'NULL'),
      dimension('weight', 'BOOLEAN', 'weight'),
      dimension('on_day', 'TEXT', 'ordered_on'),
      createDimension({ name: 'on_day_month', dataType: 'DATE', expr: 'ordered_on', grain: 'month' }),
    ],
    measures: [
      measure('orders', 'INTEGER', 'COUNT', 'status'),
      measure('buyers', 'INTEGER', 'COUNT_DISTINCT', 'status'),
      measure('total', 'INTEGER', 'SUM', 'id'),
      measure('mean', 'INTEGER', 'AVG', 'id'),
      measure('latest', 'NUMBER', 'MAX', 'ordered_on'),
      measure('last_status', 'NUMBER', 'CUSTOM', 'MAX(status)'),
      createMeasure({
        name: 'a',
        dataType: 'INTEGER',
        aggregation: 'COUNT',
        expr: '*',
        filter: "status = 'paid'",
      }),
    ],
  }),
];

/** The result on every platform; PostgreSQL's mean is a DECIMAL, like its sum of integers. */
const FOUND = [
  'orders.id data_type: this is declared as TEXT, but in the database it is INTEGER',
  'orders.day data_type: this is declared as DATE, but in the database it is TIMESTAMP',
  'orders.status data_type: this is declared as INTEGER, but in the database it is STRING',
  'orders.weight data_type: this is declared as BOOLEAN, but in the database it is DOUBLE',
  'orders.on_day data_type: this is declared as TEXT, but in the database it is DATE',
  'orders.latest data_type: this is declared as NUMBER, but in the database it is DATE',
  'orders.mean data_type: this is declared as INTEGER, but in the database it is DOUBLE',
  'orders.last_status data_type: this is declared as NUMBER, but in the database it is STRING',
];

describe.each(RUNS)('the declared types of a model for %s', (platform, engine) => {
  const database = shareShop(engine);

  async function findTypes(model: Model): Promise<readonly string[]> {
    const found: string[] = [];
    for (const test of planModelTests(model, places, platform)) {
      const types = await database.describe(test.sql);
      for (const { name, column, accepted, finding } of test.types) {
        if (accepted.includes(types[column]!)) continue;
        found.push(`${name} ${finding.message} ${types[column]}`);
      }
    }
    return found;
  }

  it.skipIf(!hasPlatform(engine))('match the types of the shop', async () => {
    expect(await findTypes(createShop({ platform }))).toEqual([]);
  });

  it.skipIf(!hasPlatform(engine))('are compared with the types of the database', async () => {
    const due = FOUND.filter((text) => platform !== 'postgresql' || !text.includes('orders.mean'));
    expect(await findTypes(createModel(wrongEntities, { platform }))).toEqual(due);
  });

  it.skipIf(!hasPlatform(engine))('accept a date for a DATETIME only in UTC', async () => {
    const moment = createEntity({
      name: 'orders',
      dimensions: [dimension('moment', 'DATETIME', 'ordered_on')],
    });
    expect(await findTypes(createModel([moment], { platform, timezone: 'Europe/Berlin' }))).toEqual([
      'orders.moment data_type: this is declared as DATETIME, but in the database it is DATE',
    ]);
  });

  it.skipIf(!hasPlatform(engine))('accept conditions as filters', async () => {
    const filtered = createEntity({
      name: 'orders',
      measures: [
        createMeasure({ name: 'n', dataType: 'INTEGER', aggregation: 'COUNT', expr: '*', filter: 'amount' }),
      ],
    });
    const model = createModel([filtered], { platform });
    if (engine === 'postgresql') {
      await expect(findTypes(model)).rejects.toThrow('must be type boolean, not type numeric');
      return;
    }
    expect(await findTypes(model)).toEqual([
      'orders.n x_filter: a filter must be a condition, for example paid = 1, but in the database this is DECIMAL',
    ]);
  });
});
