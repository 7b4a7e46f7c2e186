import { describe, expect, it } from 'vitest';
import { compileQuery } from '../../src/semantic/compile/compile-query.ts';
import { createModelIndex } from '../../src/semantic/model/index/index-model.ts';
import { ask, where } from './ask.ts';
import { createDimension, createEntity, createMeasure, createModel } from './shop.ts';
import { hasPlatform, RUNS, shareShop } from './shop-database.ts';

/** Purchases of people, who have managers. */
const model = createModel([
  createEntity({
    name: 'people',
    dimensions: [
      createDimension({ name: 'name', dataType: 'TEXT' }),
      createDimension({ name: 'status', dataType: 'TEXT' }),
    ],
    measures: [createMeasure({ name: 'score', dataType: 'INTEGER', aggregation: 'SUM', expr: 'score' })],
    relationships: [
      {
        name: 'manager',
        joinType: 'MANY_TO_ONE',
        toEntity: 'people',
        expr: 'people.manager_id = manager.id',
      },
    ],
  }),
  createEntity({
    name: 'purchases',
    dimensions: [createDimension({ name: 'id', dataType: 'INTEGER' })],
    measures: [createMeasure({ name: 'purchases', dataType: 'INTEGER', aggregation: 'COUNT', expr: '*' })],
    relationships: [
      {
        name: 'buyer',
        joinType: 'MANY_TO_ONE',
        toEntity: 'people',
        expr: 'purchases.buyer_id = people.id',
      },
    ],
  }),
]);

/** Ben and Dora manage no one; Carl manages two people, but Ben bought nothing; one purchase has no buyer. */
const TABLES = [
  'CREATE TABLE shop.people (id INTEGER, name VARCHAR(10), status VARCHAR(10), score INTEGER, manager_id INTEGER)',
  `INSERT INTO shop.people VALUES (1, 'Anna', 'gold', 10, 3), (2, 'Ben', 'gold', 20, 3),
    (3, 'Carl', 'silver', 30, NULL), (4, 'Dora', 'silver', 40, 1)`,
  'CREATE TABLE shop.purchases (id INTEGER, buyer_id INTEGER)',
  'INSERT INTO shop.purchases VALUES (1, 1), (2, 1), (3, 4), (4, NULL)',
];

const index = createModelIndex(model);

describe.each(RUNS)('a measure with a path, in the SQL of %s', (platform, engine) => {
  const database = shareShop(engine, TABLES);
  const run = (query: ReturnType<typeof ask>) =>
    database.run(compileQuery(index, query, { dialect: platform, strict: false }).sql);

  it.skipIf(!hasPlatform(engine))(
    'counts the rows at the end of the path, grouped by its start',
    async () => {
      const order = [{ field: { entity: 'people', field: 'status' }, desc: false }];
      const query = ask('people.status', 'purchases.purchases, people.manager.score AS managers', {
        orderBy: order,
      });
      // Anna and Ben share Carl, whose score counts once; people without reports have no status.
      expect(await run(query)).toEqual([
        ['gold', 2, 30],
        ['silver', 1, 10],
        [null, 1, 60],
      ]);
    },
  );

  it.skipIf(!hasPlatform(engine))('goes back over every relationship of the path', async () => {
    const order = [{ field: { entity: 'purchases.buyer', field: 'status' }, desc: false }];
    const query = ask('purchases.buyer.status', 'purchases.purchases, purchases.buyer.manager.score', {
      orderBy: order,
    });
    expect(await run(query)).toEqual([
      ['gold', 2, 30],
      ['silver', 1, 10],
      [null, 1, 90],
    ]);
  });

  it.skipIf(!hasPlatform(engine))('can be selected with the same measure of the entity itself', async () => {
    const query = ask('people.name', 'people.score, people.manager.score AS managers', {
      filters: [where('people.name', 'EQUALS', 'Anna', 'Dora')],
      orderBy: [{ field: { entity: 'people', field: 'name' }, desc: true }],
    });
    expect(await run(query)).toEqual([
      ['Dora', 40, 10],
      ['Anna', 10, 30],
    ]);
  });

  it.skipIf(!hasPlatform(engine))('can filter and order without being selected', async () => {
    const managers = { entity: 'people.manager', field: 'score' };
    const query = ask('people.name', 'people.score', {
      filters: [where('people.manager.score', 'GREATER_THAN', '5')],
      orderBy: [
        { field: managers, desc: true },
        { field: { entity: 'people', field: 'name' }, desc: false },
      ],
    });
    expect(await run(query)).toEqual([
      ['Anna', 10],
      ['Ben', 20],
      ['Dora', 40],
    ]);
  });
});

describe('a measure with a path', () => {
  it('is refused in strict mode if the way back has several rows', () => {
    const query = ask('people.status', 'people.manager.score');
    expect(() => compileQuery(index, query, { dialect: 'duckdb', strict: true })).toThrow(
      'A row of people can have several values of people.status',
    );
  });
});
