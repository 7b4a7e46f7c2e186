import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ColumnValue } from '../../src/engine/result/columns/column.ts';
import type { FieldRef, SemanticFilter, SemanticQuery } from '../../src/semantic/query/query.ts';
import { rotateTo } from '../support/rotation.ts';
import { compileWorld } from './oracle/compile-world.ts';
import { type Engine, openEngine } from './oracle/engine.ts';
import { toFraction } from './oracle/fraction.ts';
import { isSelf } from './oracle/join-tree.ts';
import { createRandom, type Random } from './oracle/random.ts';
import { createQuestion } from './oracle/random-question.ts';
import { createWorld } from './oracle/random-world.ts';
import type { World } from './oracle/world.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await openEngine('duckdb', { file: ':memory:' }, 'independence');
});
afterAll(() => engine[Symbol.asyncDispose]());

/** Integers of any length keep their digits. */
const print = (value: ColumnValue) => {
  if (typeof value !== 'bigint') return value;
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
};

/** The rows of a query by their dimensions, with columns in the order of the given names; null if it is refused. */
async function run(world: World, query: SemanticQuery, names: readonly string[]) {
  let sql: string;
  try {
    sql = compileWorld(world, { query, strict: false }, 'duckdb').sql;
  } catch {
    return null;
  }
  const { columns, rows } = await engine.run(sql);
  const places = names.map((name) => columns.findIndex((column) => column.name === name));
  return new Map(
    rows.map((row) => {
      const cells = places.map((place) => JSON.stringify(print(row[place]!)));
      const keys = query.dimensions.map(({ alias }) => cells[names.indexOf(alias!)]).sort();
      return [keys.join(), cells.join()];
    }),
  );
}

const SEEDS = rotateTo(60);

/** Queries without limits, whose columns have unique names. */
async function forEachQuestion(
  run: (world: World, query: SemanticQuery, random: Random) => Promise<void>,
): Promise<void> {
  for (const seed of SEEDS) {
    const world = createWorld(seed);
    await engine.load(world);
    const random = createRandom(seed + 3_000_000);
    for (let i = 0; i < 5; i++) {
      const query = createQuestion(world, random);
      const dimensions = query.dimensions.map((ref, at) => ({ ...ref, alias: `d${at}` }));
      const measures = query.measures.map((ref, at) => ({ ...ref, alias: `m${at}` }));
      await run(world, { ...query, dimensions, measures, limit: null }, random);
    }
  }
}

const listNames = ({ dimensions, measures }: SemanticQuery) =>
  [...dimensions, ...measures].map(({ alias }) => alias!);

/** A dimension of an entity whose values a filter can name as they are; undefined without one. */
function findExactKey({ entities }: World, entity: string): FieldRef | undefined {
  const named = entities.find(({ name }) => name === entity);
  const found = named?.dimensions.find(
    ({ type, caseSensitive }) => type === 'INTEGER' || (type === 'TEXT' && caseSensitive),
  );
  return found && { entity, field: found.name, alias: 'd0' };
}

/** The filter of a group. */
function createFilter(field: FieldRef, value: unknown): SemanticFilter {
  const operator =
    value === null ? ({ type: 'IS_NULL' } as const) : ({ type: 'EQUALS', values: [String(value)] } as const);
  return { type: 'CONDITION', field, operator };
}

describe('a compiled query', { timeout: 300_000 }, () => {
  it('keeps every value if another measure is added', async () => {
    let compared = 0;
    await forEachQuestion(async (world, query, random) => {
      const entity = random.pick(world.entities);
      const more = { entity: entity.name, field: random.pick(entity.measures).name, alias: 'more' };
      const names = listNames(query);
      const before = await run(world, query, names);
      const after = await run(world, { ...query, measures: [...query.measures, more] }, names);
      if (before === null || after === null || query.measures.length === 0) return;
      for (const [key, cells] of before) {
        expect(after.get(key), `${JSON.stringify(query)} and ${more.field}`).toBe(cells);
        compared += 1;
      }
    });
    expect(compared).toBeGreaterThan(3 * SEEDS.length);
  });

  it('gives a group the values of a filter on its key, before and after the rows are grouped', async () => {
    let compared = 0;
    await forEachQuestion(async (world, query) => {
      const [first] = query.measures;
      const near = query.dimensions.find(({ entity }) => findExactKey(world, entity) !== undefined) ?? first;
      const key = near && findExactKey(world, near.entity);
      if (key === undefined || first === undefined) return;
      const grouped = { ...query, dimensions: [key], orderBy: [] };
      const names = listNames(grouped);
      const groups = await run(world, grouped, names);
      for (const [value, cells] of [...(groups ?? [])].slice(0, 4)) {
        const filters = [...query.filters, createFilter(key, JSON.parse(value))];
        const filtered = await run(world, { ...grouped, filters }, names);
        expect([...(filtered ?? [])], JSON.stringify({ ...grouped, filters })).toEqual([[value, cells]]);
        const whole = { ...grouped, dimensions: [], filters };
        const total = await run(world, whole, names.slice(1));
        // Without its key, a filter of a far entity can have no path.
        if (total === null) continue;
        expect([value, ...total.values()].join(), JSON.stringify(whole)).toBe(cells);
        compared += 1;
      }
    });
    expect(compared).toBeGreaterThan(SEEDS.length / 2);
  });

  it('returns the same rows for any order of its fields and filters', async () => {
    let compared = 0;
    await forEachQuestion(async (world, query) => {
      const turned = {
        ...query,
        dimensions: query.dimensions.toReversed(),
        measures: query.measures.toReversed(),
        filters: query.filters.toReversed(),
      };
      const names = listNames(query);
      const [before, after] = [await run(world, query, names), await run(world, turned, names)];
      expect(after, JSON.stringify(query)).toEqual(before);
      compared += before?.size ?? 0;
    });
    expect(compared).toBeGreaterThan(3 * SEEDS.length);
  });

  it('keeps the values of children if a parent without children is added', async () => {
    let compared = 0;
    await forEachQuestion(async (world, query) => {
      const [first] = query.measures;
      const edge = world.edges.find(
        ({ from, joinType }) => from === first?.entity && joinType === 'MANY_TO_ONE',
      );
      // In a self-relationship, a row is also a child.
      const roles = world.edges.filter(isSelf).map(({ from }) => from);
      if (
        edge === undefined ||
        roles.includes(edge.to) ||
        query.measures.some(({ entity }) => entity !== edge.from)
      )
        return;
      const childless = {
        id: toFraction(777),
        part: toFraction(777),
        low: toFraction(7000),
        high: toFraction(7010),
      };
      const entities = world.entities.map((entity) => {
        if (entity.name !== edge.to || entity.rows.length === 0) return entity;
        const nothing = Object.fromEntries(entity.columns.map(({ name }) => [name, null]));
        return { ...entity, rows: [...entity.rows, { ...nothing, ...childless }] };
      });
      const own = { ...query, filters: [] };
      const names = listNames(own);
      const before = await run(world, own, names);
      await engine.load({ ...world, entities });
      const after = await run({ ...world, entities }, own, names);
      await engine.load(world);
      expect(after, JSON.stringify(own)).toEqual(before);
      compared += before?.size ?? 0;
    });
    expect(compared).toBeGreaterThan(SEEDS.length / 2);
  });
});
