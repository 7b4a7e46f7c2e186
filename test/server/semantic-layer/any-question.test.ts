import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LEXICAL_RULES } from '../../../src/engine/text/lexical-rules.ts';
import { scanSql } from '../../../src/engine/text/sql-scanner.ts';
import { HOSTILE_PARTS } from '../../semantic/hostile-parts.ts';
import { expectErrorBody, expectRefusal } from '../../support/http.ts';
import { modelWith } from '../../support/models.ts';
import { share } from '../../support/rotation.ts';
import { createSemanticWorld, type SemanticWorld } from './world.ts';

const MODEL = modelWith(`    - name: e
      table_name: t
      dimensions:
      - { name: s, data_type: TEXT, expr: s }
      - { name: n, data_type: INTEGER, expr: n }
      - { name: at, data_type: DATETIME, expr: moment, x_grains: [month] }
      measures:
      - { name: m, data_type: INTEGER, aggregation_type: COUNT, expr: "*" }
      relationships:
      - { name: up, join_type: MANY_TO_ONE, to_entity: f, expr: e.f_id = f.id }
    - name: f
      table_name: u
      dimensions:
      - { name: s, data_type: TEXT, expr: s }
`);

async function createModelWorld(): Promise<SemanticWorld> {
  const world = await createSemanticWorld();
  await world.put('@Shared/live.yaml', MODEL);
  await world.addModel('live', '@Shared/live.yaml');
  return world;
}

const MEAN = ['', ' ', '\0', '\ud800', '__proto__', 'constructor', "'; --", '"', '\\', 'e.up', 'é', '💛'];
const odd = fc.oneof(
  fc.constantFrom<unknown>(...MEAN, null, 0, -1, 1e300, true, [], {}),
  fc.jsonValue({ maxDepth: 2 }),
);
const mostly = (arbitrary: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 60, arbitrary }, { weight: 1, arbitrary: odd });
const oneOf = (...texts: string[]) => mostly(fc.constantFrom(...texts));
const listOf = (arbitrary: fc.Arbitrary<unknown>) => mostly(fc.array(arbitrary, { maxLength: 3 }));

const refTo = (...paths: string[]) =>
  mostly(
    fc
      .constantFrom(...paths)
      .map((path) => path.split('/'))
      .chain(([entity = '', field = '']) =>
        fc.record(
          { entity: oneOf(entity), field: oneOf(field), alias: fc.string() },
          { requiredKeys: ['entity', 'field'] },
        ),
      ),
  );
const dimension = refTo('e/s', 'e/n', 'e/at', 'e/at_month', 'f/s', 'e.up/s');
const measure = refTo('e/m', 'e/m', 'e/m', 'e/m', 'e/m', 'e/m', 'e/m', 'e/m', 'f/s');
const ref = fc.oneof(dimension, measure);
const value = oneOf('x', '1', '2024-02-29', '2024-02-29T10:00:00', 'today');
const valuesOf = (count: number, ...types: string[]) =>
  fc.record({
    type: fc.constantFrom(...types),
    values: fc.array(value, { minLength: count, maxLength: count }),
  });
const operator = mostly(
  fc.oneof(
    valuesOf(2, 'EQUALS', 'NOT_CONTAINS', 'IN_DATE_RANGE'),
    fc.record({ type: fc.constantFrom('GREATER_THAN', 'AFTER_DATE'), value }),
    fc.record({ type: fc.constant('IS_NULL') }),
    fc.record({ type: oneOf('EQUALS', 'IS_NULL', 'IN_DATE_RANGE'), value, values: listOf(value) }),
  ),
);
const { filter } = fc.letrec((tie) => ({
  filter: fc.oneof(
    { maxDepth: 4 },
    mostly(fc.record({ type: fc.constant('CONDITION'), field: ref, operator })),
    fc.record({ type: oneOf('AND', 'OR'), filters: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
  ),
}));
const order = fc.record({ field: ref, desc: mostly(fc.boolean()) }, { requiredKeys: ['field'] });
const limit = fc.record({ fetch: mostly(fc.integer({ min: 1, max: 9 })), skip: mostly(fc.nat(3)) });
const query = mostly(
  fc.record(
    {
      dimensions: listOf(dimension),
      measures: listOf(measure),
      filters: listOf(filter),
      order_by: listOf(order),
      limit: mostly(limit),
    },
    { requiredKeys: ['dimensions', 'measures'] },
  ),
);

it('any semantic query gets a response, and never an internal error', async () => {
  const { codegen } = await createModelWorld();
  const statuses: Record<number, number> = {};
  await fc.assert(
    fc.asyncProperty(query, fc.boolean(), async (question, isExplained) => {
      const search = isExplained ? '?explain=true' : '';
      const answer = await codegen(question, {}, { search });
      const { status, body, headers } = answer;
      statuses[status] = (statuses[status] ?? 0) + 1;
      expect([200, 400, 422]).toContain(status);
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
      if (status === 200) expect(Object.keys(body as object)).toHaveLength(isExplained ? 4 : 1);
      else expectErrorBody(answer);
    }),
    { numRuns: share(1600) },
  );
  for (const status of [200, 400, 422]) expect(statuses[status]).toBeGreaterThan(5);
});

/** Errors print names with the excluded characters in another form. */
const printable = HOSTILE_PARTS.filter((part) => !/[\0\u2028]/.test(part));
const hostile = fc
  .array(fc.constantFrom(...printable), { maxLength: 12 })
  .map((parts) => `zqz${parts.join('')}zqz`);

it('any text stays inside its literal or its quoted alias', async () => {
  const { codegen } = await createModelWorld();
  let compiled = 0;
  await fc.assert(
    fc.asyncProperty(hostile, hostile, async (alias, text) => {
      const { status, body } = await codegen({
        dimensions: [{ entity: 'e', field: 's', alias }],
        measures: [{ entity: 'e', field: 'm', alias: `m${alias}` }],
        filters: [
          {
            type: 'CONDITION',
            field: { entity: 'f', field: 's' },
            operator: { type: 'NOT_EQUALS', values: [text, 'x'] },
          },
        ],
      });
      expect([200, 400]).toContain(status);
      if (status !== 200) return;
      compiled += 1;
      const { sql } = body as { sql: string };
      const tokens = [...scanSql(sql, LEXICAL_RULES.duckdb)];
      expect(tokens.every(({ terminated }) => terminated)).toBe(true);
      const free = tokens.filter(({ kind }) => !['string', 'quoted-name', 'comment'].includes(kind));
      const texts = free.map(({ start, end }) => sql.slice(start, end));
      expect(texts.join('')).not.toContain('zqz');
      expect(texts).not.toContain(';');
    }),
    { numRuns: share(300) },
  );
  expect(compiled).toBeGreaterThan(share(100));
});

it('the error of an unknown name reveals only that name', async () => {
  const { codegen } = await createModelWorld();
  await fc.assert(
    fc.asyncProperty(hostile, async (name) => {
      const entity = await codegen({ measures: [{ entity: name, field: 'm' }] });
      expectRefusal(entity, 400, `Entity not found: ${name}`);
      const field = await codegen({ measures: [{ entity: 'e', field: name }] });
      const detail = `Field not found: ${name} in entity e`;
      expectRefusal(field, 400, detail);
      const connection = await codegen({}, { connection_name: name });
      expect(connection.status).toBe(400);
    }),
    { numRuns: share(60) },
  );
});
