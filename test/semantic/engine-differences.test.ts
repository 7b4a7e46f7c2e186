import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { ask } from './ask.ts';
import { ask as compare } from './oracle/ask.ts';
import { compileWorld } from './oracle/compile-world.ts';
import { type Engine, type EnginePlatform, openEngine } from './oracle/engine.ts';
import { column, type Expression, equal, literal } from './oracle/expression.ts';
import { toFraction } from './oracle/fraction.ts';
import type { DimensionDef, EntityDef, MeasureDef, World } from './oracle/world.ts';

const number = (value: number) => toFraction(value);

const dimension = (name: string, type: DimensionDef['type'], expression: Expression): DimensionDef => ({
  name,
  type,
  expression,
  grain: null,
  cutsMoment: false,
  caseSensitive: false,
});

const sum = (name: string, of: string): MeasureDef => ({
  name,
  type: 'INTEGER',
  aggregation: 'SUM',
  argumentType: 'INTEGER',
  argument: column(of),
  filter: null,
  custom: null,
});

const entity = (name: string, fields: Pick<EntityDef, 'columns' | 'rows' | 'dimensions' | 'measures'>) =>
  ({ name, table: `t_${name}`, where: null, key: null, ...fields }) satisfies EntityDef;

const quantity = { kind: 'coalesce', of: column('qty'), otherwise: literal('INTEGER', number(0)) } as const;

/** Fields have the names of other columns, two fields share one expression, and one median is over a key column. */
const world: World = {
  entities: [
    entity('customers', {
      columns: [
        { name: 'id', type: 'INTEGER' },
        { name: 'qty', type: 'INTEGER' },
        { name: 'flag', type: 'BOOLEAN' },
      ],
      rows: [
        { id: number(1), qty: number(3), flag: true },
        { id: number(2), qty: number(1), flag: false },
        { id: number(3), qty: null, flag: null },
      ],
      dimensions: [
        dimension('qty', 'BOOLEAN', column('flag')),
        dimension('id', 'INTEGER', column('qty')),
        dimension('size', 'INTEGER', quantity),
        dimension('same size', 'INTEGER', quantity),
      ],
      measures: [],
    }),
    entity('orders', {
      columns: [
        { name: 'customer', type: 'INTEGER' },
        { name: 'amount', type: 'INTEGER' },
      ],
      rows: [
        { customer: number(1), amount: number(5) },
        { customer: number(1), amount: number(6) },
        { customer: number(2), amount: number(1) },
        { customer: number(3), amount: number(9) },
        { customer: null, amount: number(2) },
      ],
      dimensions: [],
      measures: [sum('total', 'amount'), sum('id', 'amount')],
    }),
    {
      ...entity('lots', {
        columns: [
          { name: 'id', type: 'INTEGER' },
          { name: 'part', type: 'INTEGER' },
        ],
        rows: [
          { id: number(1), part: number(1) },
          { id: number(1), part: number(1) },
          { id: number(2), part: null },
          { id: number(3), part: number(8) },
        ],
        dimensions: [],
        measures: [{ ...sum('middle', 'part'), type: 'NUMBER', aggregation: 'MEDIAN' }],
      }),
      where: { kind: 'is not null', of: column('id') },
    },
    entity('pieces', {
      columns: [
        { name: 'lot', type: 'INTEGER' },
        { name: 'part', type: 'INTEGER' },
        { name: 'size', type: 'INTEGER' },
      ],
      rows: [
        { lot: number(1), part: number(1), size: number(4) },
        { lot: number(5), part: number(1), size: number(4) },
      ],
      dimensions: [dimension('size', 'INTEGER', column('size'))],
      measures: [],
    }),
  ],
  edges: [
    {
      name: 'lot',
      from: 'pieces',
      to: 'lots',
      joinType: 'MANY_TO_ONE',
      on: {
        kind: 'and',
        parts: [
          equal(column('lot', 'pieces'), column('id', 'lots')),
          equal(column('part', 'pieces'), column('part', 'lots')),
        ],
      },
    },
    {
      name: 'customer',
      from: 'orders',
      to: 'customers',
      joinType: 'MANY_TO_ONE',
      on: equal(column('customer', 'orders'), column('id', 'customers')),
    },
  ],
};

const is = (name: string, type: string, operand: { value: string } | { values: string[] }) => {
  const [owner = '', field = ''] = name.split('.');
  return { type: 'CONDITION', field: { entity: owner, field }, operator: { type, ...operand } } as const;
};

const either = (...filters: readonly unknown[]) => ({ filters: [{ type: 'OR', filters }] }) as never;

const QUESTIONS = {
  'an OR of a measure and a dimension that is named like another column': ask(
    'customers.qty, customers.id',
    'orders.total',
    either(
      is('orders.total', 'GREATER_THAN', { value: '8' }),
      is('customers.qty', 'EQUALS', { values: ['false'] }),
    ),
  ),
  'the same of a measure that is not selected': ask(
    'customers.id AS total, customers.qty',
    '',
    either(
      is('orders.total', 'LESS_THAN', { value: '3' }),
      is('customers.qty', 'NOT_EQUALS', { values: ['false'] }),
    ),
  ),
  'an OR of a measure that is named like a column of a dimension': ask(
    'customers.id AS total, customers.qty',
    'orders.id AS qty',
    either(is('orders.id', 'GREATER_THAN', { value: '10' }), is('customers.id', 'EQUALS', { values: ['1'] })),
  ),
  'two dimensions with one expression': ask('customers.size, customers.same size', 'orders.total', {
    filters: [is('customers.size', 'EQUALS', { values: ['3'] })] as never,
  }),
  'one dimension twice': ask('customers.same size, customers.same size AS again', 'orders.total', {
    filters: [is('customers.same size', 'EQUALS', { values: ['3'] })] as never,
    orderBy: [{ field: { entity: 'customers', field: 'same size' }, desc: true }],
  }),
  'a median of a column by which others are found': ask('', 'lots.middle', {
    filters: [is('pieces.size', 'EQUALS', { values: ['4'] })] as never,
  }),
  'the same without a measure': ask('customers.size, customers.same size', '', {
    filters: [is('customers.same size', 'EQUALS', { values: ['3'] })] as never,
    orderBy: [{ field: { entity: 'customers', field: 'same size' }, desc: true }],
  }),
};

const ENGINES: readonly (readonly [EnginePlatform, Readonly<Record<string, string>> | null])[] = [
  ['duckdb', { file: ':memory:' }],
  ['postgresql', inject('postgresql')],
  ['mysql', inject('mariadb')],
];

describe.each(ENGINES)(
  'semantic queries with former differences between engines, on %s',
  (platform, options) => {
    let engine: Engine | undefined;
    beforeAll(async () => {
      if (options === null) return;
      engine = await openEngine(platform, options, 'engine differences');
      await engine.load(world);
    });
    afterAll(() => engine?.[Symbol.asyncDispose]());

    it.skipIf(options === null).each(Object.entries(QUESTIONS))(
      'return the expected rows for %s',
      async (_, query) => {
        const outcome = await compare(world, { query, strict: false }, compileWorld, engine!);
        expect(outcome).toMatchObject({ kind: 'agrees' });
        expect(outcome.kind === 'agrees' && outcome.answer.rows.length).toBeGreaterThan(0);
      },
    );
  },
);
