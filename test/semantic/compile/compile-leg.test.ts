import { describe, expect, it } from 'vitest';
import { compileQuery } from '../../../src/semantic/compile/compile-query.ts';
import { createModelIndex } from '../../../src/semantic/model/index/index-model.ts';
import type { Entity, Platform } from '../../../src/semantic/model/model.ts';
import type { SemanticQuery } from '../../../src/semantic/query/query.ts';
import { ask, toRef, where } from '../ask.ts';
import { createDimension, createEntity, createMeasure, createModel } from '../shop.ts';

/** Lines of orders of people; each test defines how `lines` and `people` are related to orders. */
function createLines(
  onOrder = 'lines.order_id = orders.id',
  onPerson = 'orders.person_id = people.id',
  orders: Partial<Entity> = {},
) {
  const name = createDimension({ name: 'name', dataType: 'TEXT' });
  const toOne = (to: string, toEntity: string, expr: string) =>
    ({ name: to, joinType: 'MANY_TO_ONE', toEntity, expr }) as const;
  return createModel([
    createEntity({
      name: 'lines',
      dimensions: [
        name,
        createDimension({ name: 'odd', dataType: 'BOOLEAN', expr: 'a > 1 OR b IS NULL' }),
        createDimension({ name: 'none', dataType: 'TEXT', expr: "'none'" }),
      ],
      measures: [createMeasure({ name: 'lines', dataType: 'INTEGER', aggregation: 'COUNT', expr: '*' })],
      relationships: [toOne('order', 'orders', onOrder)],
    }),
    createEntity({
      name: 'orders',
      dimensions: [name],
      measures: [
        createMeasure({ name: 'total', dataType: 'DECIMAL', aggregation: 'SUM', expr: 'amount' }),
        createMeasure({ name: 'largest', dataType: 'DECIMAL', aggregation: 'MAX', expr: 'amount' }),
        createMeasure({ name: 'odd', dataType: 'DECIMAL', aggregation: 'CUSTOM', expr: 'mode(amount)' }),
      ],
      relationships: [toOne('person', 'people', onPerson)],
      ...orders,
    }),
    createEntity({
      name: 'people',
      dimensions: [name],
      measures: [createMeasure({ name: 'people', dataType: 'INTEGER', aggregation: 'COUNT', expr: 'id' })],
    }),
  ]);
}

function compile(query: SemanticQuery, model = createLines(), dialect: Platform = 'duckdb') {
  const { sql, plan } = compileQuery(createModelIndex(model), query, { dialect, strict: false });
  return { sql, legs: plan.legs };
}

describe('the rows of a leg', () => {
  it('appear once if no join repeats them', () => {
    const { sql, legs } = compile(ask('people.name', 'lines.lines'));
    expect(legs.map(({ rows }) => rows)).toEqual(['once']);
    expect(sql).not.toMatch(/DISTINCT|ROW_NUMBER|OVER/);
  });

  it('can repeat if the aggregates ignore duplicates', () => {
    const { sql } = compile(ask('lines.name', 'orders.largest'));
    expect(sql).not.toMatch(/DISTINCT|ROW_NUMBER/);
  });

  it('are identified by their key, otherwise by a row number', () => {
    const more = { filters: [where('lines.name', 'IS_NULL')] };
    expect(compile(ask('lines.name', 'orders.total', more)).sql).toContain(
      'ROW_NUMBER() OVER () AS "orders.row"',
    );
    const { sql } = compile(
      ask('lines.name', 'orders.total', more),
      createLines(undefined, undefined, { primaryKey: ['id'] }),
    );
    expect(sql).toContain('"orders".id AS "#id"');
    expect(sql).not.toContain('ROW_NUMBER');
  });

  it('are kept whole for a CUSTOM measure', () => {
    const more = { filters: [where('lines.name', 'IS_NULL')] };
    const { sql, legs } = compile(ask('lines.name', 'orders.odd, orders.total', more));
    expect(legs[0]!.rows).toBe('numbered');
    expect(sql).toContain('mode(amount) AS "odd"');
    expect(sql).toContain('WHERE "orders"."#copy" = 1');
    expect(compile(ask('people.name', 'orders.odd')).sql).toContain('"people".name AS "#name"');
  });

  it('are filtered before they are numbered', () => {
    const filters = [where('lines.name', 'IS_NULL'), where('orders.name', 'EQUALS', 'x')];
    expect(compile(ask('lines.name', 'orders.total', { filters })).sql).toContain(
      `FROM shop.orders AS "orders"\n    WHERE name = 'x'`,
    );
  });
});

describe('a branch', () => {
  const named = (name: string) => ({ filters: [where(`${name}.name`, 'EQUALS', 'x')] });

  it('is not joined if it is only tested for existence', () => {
    const { sql, legs } = compile(ask('', 'people.people', named('lines')));
    expect(legs[0]).toMatchObject({ joins: [], rows: 'once' });
    expect(sql).toContain('"people".id IN (');
  });

  it('is joined if its absence satisfies the query', () => {
    for (const type of ['NOT_EQUALS', 'IS_NULL'] as const) {
      const operands = type === 'IS_NULL' ? [] : ['x'];
      const { legs } = compile(
        ask('', 'people.people', { filters: [where('lines.name', type, ...operands)] }),
      );
      expect(legs[0]).toMatchObject({ rows: 'distinct', exists: [] });
    }
  });

  it('is joined if a node behind it can exist without it', () => {
    const model = createLines('lines.order_id = COALESCE(orders.id, 1)');
    expect(compile(ask('', 'people.people', named('lines')), model).legs[0]!.rows).toBe('distinct');
    expect(compile(ask('lines.name', 'people.people'), model).legs[0]!.rows).toBe('distinct');
    expect(compile(ask('lines.name', 'people.people')).legs[0]!.joins[0]!.kind).toBe('reduced');
  });

  it('without a key is tested by alias, except on DuckDB, which could read the alias as a column', () => {
    const model = createLines('lines.low <= orders.id AND lines.high > orders.id');
    const query = ask('', 'orders.total', named('lines'));
    expect(compile(query, model, 'postgresql').sql).toContain('WHERE EXISTS (');
    expect(compile(query, model).legs[0]).toMatchObject({ rows: 'distinct', exists: [] });
  });

  it('leaves no bare column if it compares outer columns', () => {
    const or = {
      type: 'OR',
      filters: [where('lines.name', 'EQUALS', 'x'), where('orders.name', 'EQUALS', 'y')],
    } as const;
    const filters = [or, where('lines.name', 'NOT_EQUALS', 'z'), where('lines.name', 'IS_NOT_NULL')];
    const { sql } = compile(ask('', 'orders.total', { filters }), createLines(), 'postgresql');
    expect(sql).toContain(`("lines".name = 'x' OR "orders".name = 'y')`);
  });
});

describe('a filter', () => {
  const on = (type: string, ...operands: readonly string[]) => ({
    filters: [where('people.name', type, ...operands)],
  });

  it('turns joins that it requires into inner joins and puts them first', () => {
    const { sql } = compile(ask('lines.name, orders.name AS order', 'lines.lines', on('EQUALS', 'x')));
    expect(sql).toMatch(/INNER JOIN shop\.orders .*\nINNER JOIN shop\.people /);
    const other = compile(ask('lines.name', 'orders.largest', on('STARTS_WITH', 'x')));
    expect(other.sql).toMatch(/INNER JOIN shop\.people .*\nLEFT JOIN shop\.lines /);
  });

  it('leaves joins unchanged if it accepts NULL', () => {
    const either = {
      type: 'OR',
      filters: [where('people.name', 'EQUALS', 'x'), where('lines.name', 'EQUALS', 'x')],
    } as const;
    const asked = [on('NOT_EQUALS', 'x'), on('IS_NULL'), { filters: [either] }];
    for (const more of asked) {
      const { sql } = compile(ask('', 'lines.lines', more));
      expect(sql.match(/LEFT JOIN/g)).toHaveLength(2);
      expect(sql).not.toContain('INNER');
    }
  });

  it('leaves a join unchanged if a later condition accepts its absence', () => {
    const model = createLines(undefined, 'people.id = COALESCE(orders.person_id, 1)');
    const { sql } = compile(ask('', 'lines.lines', on('EQUALS', 'x')), model);
    expect(sql).toMatch(/LEFT JOIN shop\.orders .*\nINNER JOIN shop\.people /);
  });

  it('prevents the reduction of a whole branch if it selects few of its rows', () => {
    const joins = (more: Partial<SemanticQuery>) =>
      compile(ask('lines.name', 'orders.total', more)).legs[0]!.joins.map(({ kind }) => kind);
    expect(joins({})).toEqual(['reduced']);
    expect(joins({ filters: [where('lines.name', 'EQUALS', 'x')] })).toEqual(['reduced']);
    expect(joins(on('EQUALS', 'x'))).toEqual(['join', 'join']);
    expect(joins({ filters: [where('orders.name', 'EQUALS', 'x')] })).toEqual(['join']);
    expect(joins({ filters: [where('lines.name', 'IS_NULL')] })).toEqual(['join']);
  });

  it('follows a reduced branch if it only excludes some of its dimensions', () => {
    const either = (...types: readonly string[]) =>
      ({ type: 'OR', filters: types.map((type) => where('lines.name', type, 'x')) }) as const;
    const excluding = [where('lines.name', 'NOT_EQUALS', 'x'), either('NOT_CONTAINS', 'EQUALS')];
    for (const filter of excluding) {
      const { sql, legs } = compile(ask('lines.name AS line', 'orders.total', { filters: [filter] }));
      expect(legs[0]).toMatchObject({
        rows: 'once',
        joins: [{ kind: 'reduced', where: [], isInner: false }],
      });
      expect(sql).toMatch(/ON "lines"\."order_id" = "orders"\.id\nWHERE "lines"\."line" /);
    }
    const without = [
      ask('lines.odd', 'orders.total', { filters: [excluding[0]!] }),
      ask('lines.name', 'orders.total', {
        filters: [...excluding, where('lines.odd', 'NOT_EQUALS', 'true')],
      }),
    ];
    for (const query of without) expect(compile(query).legs[0]!.rows).toBe('distinct');
  });
});

describe('an expression', () => {
  it('is computed in its entity if it is not NULL without columns', () => {
    const { sql } = compile(
      ask('lines.none', 'people.people', { filters: [where('lines.name', 'IS_NULL')] }),
    );
    expect(sql).toContain(`"lines".*,\n      'none' AS "lines.none"`);
  });

  it('has parentheses next to an operator', () => {
    const order = { orderBy: [{ field: toRef('lines.odd'), desc: false }] };
    const filters = [where('lines.odd', 'EQUALS', 'true')];
    const { sql } = compile(ask('lines.odd', '', { ...order, filters }), createLines(), 'mysql');
    expect(sql).toContain('WHERE (`lines`.a > 1 OR `lines`.b IS NULL) = TRUE');
    expect(sql).toContain('ORDER BY (`lines`.a > 1 OR `lines`.b IS NULL) IS NULL, `odd`');
  });
});
