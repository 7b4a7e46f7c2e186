import { describe, expect, it } from 'vitest';
import { printOssie } from '../../../src/semantic/export/print-ossie.ts';
import type { Entity, Layer, Model, Platform } from '../../../src/semantic/model/model.ts';
import { rotateTo } from '../../support/rotation.ts';
import { readOne } from '../files.ts';
import { FIXTURES, importSources, importText, readShop, readSources } from '../import/import-fixture.ts';
import { createWorld } from '../oracle/random-world.ts';
import { toModel } from '../oracle/world.ts';
import { shop } from '../shop.ts';

/**
 * Exports and imports a model. Only Quern's extension has every part of a model; nothing may be lost in the round trip.
 */
function roundTrip(model: Model) {
  const { text, losses } = printOssie(model);
  const back = importText('ossie', text);
  expect([back.failures, back.errors]).toEqual([[], []]);
  return { text, losses: losses.map(({ kind, message }) => `${kind}: ${message}`), back };
}

/** Undefined keys count as missing keys. */
const toPlain = (model: Model | null) => JSON.parse(JSON.stringify(model));

/** Random models have parts that no file can contain: grains anywhere, and comments at the end of SQL. */
function toSound({ version, layers }: Model): Model {
  const toUncut = (entity: Entity): Entity => ({
    ...entity,
    dimensions: entity.dimensions.filter(({ grain }) => grain === null),
  });
  const toLayer = (layer: Layer): Layer => ({
    ...layer,
    domains: layer.domains.map((domain) => ({ ...domain, entities: domain.entities.map(toUncut) })),
  });
  const text = JSON.stringify({ version, layers: layers.map(toLayer) });
  return JSON.parse(text.replaceAll(/-- (as \\"it's\\" written|the ones that count)/g, '/* $1 */'));
}

const HEAD = `version: "1.0"
layers:
- name: shop
  label: The shop
  environment: { platform: duckdb }
  x_timezone: Europe/Berlin
  x_synonyms: [store]
  domains:
`;

const HARD: Readonly<Record<string, string>> = {
  'several domains, labels, synonyms, texts of any script': `${HEAD}  - name: sales
    label: "Verkäufe: \\"alle\\" 🛒"
    description: |
      Was verkauft wird.
      Zeile 2
    x_synonyms: [vente]
    entities:
    - { name: orders, label: Aufträge, description: "a: b #c", table_name: orders, x_synonyms: [a, b] }
  - name: people
    entities:
    - { name: customers, table_name: "\\"My Schema\\".customers" }
`,
  'hidden fields, grains, every type': `${HEAD}  - name: shop
    description: All of it
    entities:
    - name: orders
      table_name: orders
      dimensions:
      - { name: a, data_type: NUMBER, expr: a, hidden: true }
      - { name: b, data_type: TEXT, expr: b, label: "B!", x_case_sensitive: true, x_synonyms: [be] }
      - { name: c, data_type: DATETIME, expr: c, x_grains: [year, day] }
      - { name: d, data_type: DATE, expr: d, x_grains: [week] }
      - { name: e, data_type: BOOLEAN, expr: e }
      - { name: f, data_type: FLOAT, expr: f }
      measures:
      - { name: n, data_type: NUMBER, aggregation_type: COUNT, expr: "*" }
      - { name: o, data_type: INTEGER, aggregation_type: COUNT, expr: a }
      - { name: p, data_type: DECIMAL, aggregation_type: COUNT_DISTINCT, expr: a, hidden: true, label: P }
      - { name: q, data_type: FLOAT, aggregation_type: MIN, expr: f + 1, x_synonyms: [least] }
      - { name: r, data_type: NUMBER, aggregation_type: AVG, expr: a, x_filter: e }
`,
  'columns that have the name of another field': `${HEAD}  - name: shop
    entities:
    - name: orders
      table_name: orders
      dimensions:
      - { name: amount, data_type: DECIMAL, expr: amount / 100 }
      - { name: half, data_type: DECIMAL, expr: amount / 2 }
      measures:
      - { name: cents, data_type: DECIMAL, aggregation_type: SUM, expr: amount }
      - { name: rows, data_type: INTEGER, aggregation_type: COUNT, expr: "*" }
      - { name: positive, data_type: INTEGER, aggregation_type: COUNT, expr: "*", x_filter: amount > 0 }
`,
  'measures that no expression can represent': `${HEAD}  - name: shop
    entities:
    - name: orders
      query: SELECT * FROM orders
      measures:
      - { name: share, data_type: FLOAT, aggregation_type: CUSTOM, expr: SUM(a) / COUNT(*), x_filter: b > 1 }
      - { name: first, data_type: INTEGER, aggregation_type: CUSTOM, expr: "COUNT(*) * 2" }
      - { name: last, data_type: FLOAT, aggregation_type: SUM, expr: "date_part('hour', c)" }
      - { name: total, data_type: DECIMAL, aggregation_type: SUM, expr: "orders.a + (SELECT 1)" }
    - { name: other, table_name: other, measures: [{ name: share, data_type: FLOAT, aggregation_type: SUM, expr: a }] }
`,
  'relationships of every kind': `${HEAD}  - name: shop
    entities:
    - name: people
      table_name: people
      x_primary_key: [id]
      relationships:
      - { name: boss, join_type: MANY_TO_ONE, to_entity: people, expr: people.boss_id = boss.id }
      - { name: passport, join_type: ONE_TO_ONE, to_entity: passports, expr: people.passport_id = passports.id }
      - { name: old_passport, join_type: MANY_TO_ONE, to_entity: passports, expr: passports.id = people.passport_id }
      - { name: orders, join_type: ONE_TO_MANY, to_entity: orders, expr: orders.person_id = people.id AND orders.country = people.country }
      - { name: visits, join_type: ONE_TO_MANY, to_entity: visits, expr: "visits.at BETWEEN people.born AND people.died" }
      - { name: twin, join_type: MANY_TO_ONE, to_entity: people, expr: people.id = twin.twin_id }
    - { name: passports, table_name: passports, x_primary_key: ["lower(id)"] }
    - name: orders
      table_name: orders
      relationships:
      - { name: passport, join_type: MANY_TO_ONE, to_entity: passports, expr: "orders.\\"Passport Id\\" = passports.id" }
    - { name: visits, table_name: visits }
`,
  'descriptions, and an entity that must not be reached': `${HEAD}  - name: shop
    description: All of it
    entities:
    - name: orders
      table_name: orders
      dimensions:
      - { name: a, data_type: DATE, expr: a, x_grains: [month], x_description: 'When: it was "ordered"' }
      measures:
      - { name: n, data_type: INTEGER, aggregation_type: COUNT, expr: "*", x_description: Orders }
      - { name: o, data_type: FLOAT, aggregation_type: CUSTOM, expr: SUM(a) / 2, x_filter: b, x_description: Half }
      x_unreachable:
      - { to_entity: cities, join_type: MANY_TO_ONE, reason: its condition is a template }
      - { to_entity: far, reason: "it has no condition: none" }
    - { name: cities, table_name: cities }
- name: other
  environment: { platform: duckdb }
  domains: [{ name: other, entities: [{ name: far, table_name: far }] }]
`,
  'names that need quotes, a domain without entities, another layer': `${HEAD}  - name: none
    entities: []
  - name: shop
    entities:
    - name: 'a"b c'
      table_name: x
      measures:
      - { name: 'n "n', data_type: DECIMAL, aggregation_type: SUM, expr: amount }
      - { name: rows, data_type: INTEGER, aggregation_type: COUNT, expr: "*" }
      relationships:
      - { name: 'é"', join_type: MANY_TO_ONE, to_entity: 'a"b c', expr: '"a""b c".x = "é""".y' }
      - { name: far, join_type: MANY_TO_ONE, to_entity: far, expr: '"a""b c".x = far.y' }
- name: other
  environment: { platform: duckdb }
  domains: [{ name: other, entities: [{ name: far, table_name: far }] }]
`,
  'sources that look like one another': `${HEAD}  - name: shop
    entities:
    - { name: a, table_name: "(SELECT 1 AS x)" }
    - { name: b, query: "PIVOT x ON y" }
    - { name: c, table_name: values }
`,
};

describe('a model exported to Ossie and imported again', () => {
  it.each(Object.keys(HARD))('is unchanged: %s', (name) => {
    const { model, diagnostics } = readOne(HARD[name]!);
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    const { back, losses } = roundTrip(model!);
    expect(back.lines).toEqual([]);
    expect(toPlain(back.model)).toEqual(toPlain(model));
    expect(losses.length).toBeGreaterThan(1);
  });

  it('is unchanged for models with every feature of the compiler tests', () => {
    const platforms: readonly Platform[] = ['duckdb', 'postgresql', 'mysql'];
    for (const seed of rotateTo(150)) {
      const model = toSound(toModel(createWorld(seed), platforms[seed % 3]!));
      const { back, text } = roundTrip(model);
      expect(back.lines, text).toEqual([]);
      expect(toPlain(back.model), text).toEqual(toPlain(model));
    }
  });

  it.each([
    ['by hand', readShop().model!],
    ['of the tests', shop],
  ])('is unchanged for the shop %s', (_, model) => {
    const { back } = roundTrip(model);
    expect(back.lines).toEqual([]);
    expect(toPlain(back.model)).toEqual(toPlain(model));
  });

  it.each(FIXTURES)('is unchanged for an imported model: %s', (name, from) => {
    const { model } = importSources(from, readSources(name));
    const { back } = roundTrip(model!);
    expect(back.lines).toEqual([]);
    expect(toPlain(back.model)).toEqual(toPlain(model));
  });

  it('reports the parts that other tools cannot read', () => {
    const { losses } = roundTrip(readOne(HARD['columns that have the name of another field']!).model!);
    expect(losses.slice(3)).toEqual([
      'dropped: orders.cents: `amount` is a column, but would be read as the field with that name: only Quern reads it',
      'dropped: orders.positive: `amount` is a column, but would be read as the field with that name: only Quern reads it',
      'approximated: orders.half: `amount` is a column, but other tools may read it as the field with that name',
    ]);
  });
});

describe('an outdated extension', () => {
  const { text } = printOssie(readShop().model!);

  it('is ignored in favour of the document', () => {
    const changed = text.replace(
      "SUM(CASE WHEN orders.status = 'paid' THEN orders.amount END)",
      "SUM(CASE WHEN orders.status = 'open' THEN orders.amount END)",
    );
    expect(changed).not.toBe(text);
    const { model, lines } = importText('ossie', changed);
    const measures = model!.layers[0]!.domains[0]!.entities[2]!.measures;
    expect(measures.find(({ name }) => name === 'paid')).toMatchObject({
      expr: "CASE WHEN status = 'open' THEN amount END",
      filter: null,
    });
    expect(lines).toEqual([
      expect.stringContaining(
        "an extension of the metric paid: Quern's extension disagrees with the document",
      ),
    ]);
  });

  it.each([
    ['{"entity":"orders","name":"paid"', '{"entity":"orders","name":7'],
    [
      '"aggregation_type":"SUM","expr":"amount","x_filter"',
      '"aggregation_type":"EVIL","expr":"amount","x_filter"',
    ],
    [
      'data: "{\\"entity\\":\\"orders\\",\\"name\\":\\"paid\\"',
      'data: "][{\\"entity\\":\\"orders\\",\\"name\\":\\"paid\\"',
    ],
    ['{"x_grains":["month","year"]}', '{"x_grains":["month","fortnight",{}],"evil":1}'],
    ['{"platform":"duckdb"', '{"platform":"nosql"'],
  ])('is reported if it is invalid: %s', (before, after) => {
    const escaped = (part: string) => JSON.stringify(part).slice(1, -1);
    const changed = text.includes(before)
      ? text.replace(before, after)
      : text.replace(escaped(before), escaped(after));
    expect(changed).not.toBe(text);
    const { model, failures, errors } = importText('ossie', changed);
    expect([failures, errors]).toEqual([[], []]);
    expect(model!.layers[0]!.domains.flatMap(({ entities }) => entities)).toHaveLength(6);
  });
});
