import { describe, expect, it } from 'vitest';
import { importModel } from '../../../src/semantic/import/import-model.ts';
import type { Platform } from '../../../src/semantic/model/model.ts';
import { importText } from './import-fixture.ts';

/** The measures and dimensions of the first entity, as `name: what it is`, and the messages. */
function summarize({ model, lines, failures }: ReturnType<typeof importText>) {
  expect(failures).toEqual([]);
  const [entity] = model!.layers[0]!.domains[0]!.entities;
  return {
    measures: entity!.measures.map(({ aggregation, expr, filter }) =>
      filter === null ? `${aggregation} ${expr}` : `${aggregation} ${expr} IF ${filter}`,
    ),
    dimensions: entity!.dimensions.map(({ dataType, expr }) => `${dataType} ${expr}`),
    lines: lines.map((line) => line.replace(/^model\.yaml:/, '')),
  };
}

describe('Ossie', () => {
  const withMetric = (expression: string, fields = '') =>
    importText(
      'ossie',
      `semantic_model:
- name: m
  datasets:
  - name: orders
    source: orders
    fields:
    - { name: net, expression: { dialects: [{ dialect: ANSI_SQL, expression: gross - tax }] }, datatype: Decimal }
    - { name: tax, expression: { dialects: [{ dialect: ANSI_SQL, expression: tax }] }, datatype: Decimal }
${fields}  - { name: customers, source: customers }
  metrics:
  - { name: x, expression: { dialects: [{ expression: ${JSON.stringify(expression)} }] } }
`,
    );

  it.each([
    ['SUM(orders.net)', 'SUM gross - tax'],
    ['sum( ORDERS.net * 2 )', 'SUM (gross - tax) * 2'],
    ['COUNT(DISTINCT "orders"."Some Column")', 'COUNT_DISTINCT "Some Column"'],
    ['COUNT(orders.*)', 'COUNT *'],
    ['SUM(orders.net) / COUNT(*)', 'CUSTOM SUM((gross - tax)) / COUNT(*)'],
    ['SUM(DISTINCT orders.tax)', 'CUSTOM SUM(DISTINCT tax)'],
    ['((SUM(orders.tax)))', 'SUM tax'],
    ['(SUM(orders.tax)) + (SUM(orders.tax))', 'CUSTOM (SUM(tax)) + (SUM(tax))'],
    [
      "SUM(CASE WHEN orders.state = 'orders.net' THEN orders.tax END)",
      "SUM CASE WHEN state = 'orders.net' THEN tax END",
    ],
    ['SUM(orders.tax) FILTER (WHERE orders.tax > 0)', 'CUSTOM SUM(tax) FILTER (WHERE tax > 0)'],
    ['APPROX_COUNT_DISTINCT(orders.tax)', 'CUSTOM APPROX_COUNT_DISTINCT(tax)'],
    [
      'PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY orders.tax)',
      'CUSTOM PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY tax)',
    ],
  ])('reads %s', (expression, measure) => {
    expect(summarize(withMetric(expression))).toMatchObject({ measures: [measure], lines: [] });
  });

  it.each([
    ['orders.net', 'it has no aggregate'],
    ['SUM(orders.net) + SUM(customers.credit)', 'it needs more than one entity: orders, customers'],
    ['COUNT(*)', 'it is not clear which entity it belongs to'],
    ['SUM(amount)', 'it is not clear which entity it belongs to'],
    ['SUM(order.net)', 'there is no `order.net`'],
    ['SUM(shop.orders.net)', 'there is no `shop.orders.net`'],
    ['SUM(orders.tax) OVER (ORDER BY orders.day)', 'it aggregates a window function'],
    ['SUM(orders.tax', 'this SQL has an unmatched `(`'],
    ['SUM(orders.tax); DROP TABLE x', 'this SQL becomes part of a statement, so it cannot contain `;`'],
    ["SUM(orders.tax) || '", 'this SQL contains a string that is not closed'],
    ['SUM(SUM(orders.tax))', 'SUM already aggregates'],
    ['', 'it has no SQL'],
  ])('leaves out %s', (expression, why) => {
    const { measures, lines } = summarize(withMetric(expression));
    expect(measures).toEqual([]);
    expect(lines).toEqual([expect.stringContaining(why)]);
  });

  it('leaves out a name that could mean a column or a field', () => {
    const fields =
      '    - { name: double, expression: { dialects: [{ dialect: ANSI_SQL, expression: net * 2 }] }, datatype: Decimal }\n' +
      '    - { name: again, expression: { dialects: [{ dialect: ANSI_SQL, expression: tax * 2 }] }, datatype: Decimal }\n';
    const { dimensions, lines } = summarize(withMetric('SUM(orders.tax)', fields));
    expect(dimensions).toEqual(['DECIMAL gross - tax', 'DECIMAL tax', 'DECIMAL tax * 2']);
    expect(lines).toEqual([expect.stringContaining('`net` could mean a column or the field with that name')]);
  });

  it('uses only the dialect of the platform', () => {
    const text = `semantic_model:
- name: m
  datasets:
  - name: orders
    source: orders
    fields:
    - { name: a, datatype: String, expression: { dialects: [{ dialect: ANSI_SQL, expression: a }, { dialect: SNOWFLAKE, expression: a::VARCHAR }] } }
    - { name: b, datatype: String, expression: { dialects: [{ dialect: DATABRICKS, expression: b }] } }
    - { name: c, datatype: String, expression: { dialects: [{ dialect: ANSI_SQL, expression: '"c" || d' }] } }
`;
    const read = (platform: Platform) => {
      const { documents, losses } = importModel([{ name: 'm', text }], { from: 'ossie', platform });
      const [entity] = documents[0]!.layers[0]!.domains[0]!.entities;
      return [(entity!.dimensions ?? []).map(({ expr }) => expr), losses.map(({ message }) => message)];
    };
    expect(read('snowflake')).toEqual([
      ['a::VARCHAR', '"c" || d'],
      ['the field orders.b: it has no expression in SNOWFLAKE or OSSIE_SQL_2026 or ANSI_SQL'],
    ]);
    expect(read('mysql')).toEqual([
      ['a'],
      [
        'the field orders.b: it has no expression in OSSIE_SQL_2026 or ANSI_SQL',
        'the field orders.c: a name in double quotes is not supported for mysql yet',
      ],
    ]);
  });

  it('recognizes a one-to-one relationship by its keys', () => {
    const { model, lines } = importText(
      'ossie',
      `name: m
datasets:
- { name: people, source: people, primary_key: [id], unique_keys: [[passport, country], [mail]] }
- { name: passports, source: passports }
relationships:
- { name: own, from: people, to: passports, from_columns: [country, passport], to_columns: [country, number] }
- { name: shared, from: people, to: passports, from_columns: [home], to_columns: [number] }
- { name: bad, from: people, to: passports, from_columns: [a, b], to_columns: [a] }
- { name: boss, from: people, to: people, from_columns: ["Boss Id"], to_columns: [id] }
- { name: none, from: people, to: nobody, from_columns: [a], to_columns: [a] }
`,
    );
    const [people] = model!.layers[0]!.domains[0]!.entities;
    expect(people!.relationships.map(({ name, joinType, expr }) => [name, joinType, expr])).toEqual([
      ['own', 'ONE_TO_ONE', 'people.country = passports.country AND people.passport = passports.number'],
      ['shared', 'MANY_TO_ONE', 'people.home = passports.number'],
      ['boss', 'MANY_TO_ONE', 'people."Boss Id" = boss.id'],
    ]);
    expect(lines).toEqual([
      'model.yaml:3:3: dropped: the unique key mail of the dataset people: Quern has no equivalent',
      expect.stringContaining('the relationship bad: its two sides have different numbers of columns'),
      expect.stringContaining('there is no `nobody` to join'),
    ]);
  });
});

describe('dbt', () => {
  const withMetrics = (...metrics: readonly string[]) =>
    importText(
      'dbt',
      `semantic_models:
- name: orders
  model: ref('orders')
  entities: [{ name: o, type: primary, expr: id }, { name: c, type: foreign, expr: customer_id }]
  dimensions:
  - { name: state, type: categorical, expr: "COALESCE(state, '-')" }
  - { name: day, type: time, expr: ts }
  measures:
  - { name: n, agg: count, expr: 1 }
  - { name: total, agg: sum, expr: amount }
  - { name: seen, agg: count, expr: mail }
metrics:
${metrics.map((metric) => `- ${metric}`).join('\n')}
`,
    );
  const simple = (measure: string, filter: string) =>
    `{ name: x, type: simple, type_params: { measure: ${measure} }, filter: ${JSON.stringify(filter)} }`;

  it.each([
    [simple('total', "{{ Dimension('o__state') }} = 'a'"), "SUM amount IF (COALESCE(state, '-')) = 'a'"],
    [
      simple('total', '{{Dimension( "o__state" )}} IN (\'a\')'),
      "SUM amount IF (COALESCE(state, '-')) IN ('a')",
    ],
    [
      simple('n', "{{ TimeDimension('o__day', 'day') }} > '2026-01-01'"),
      "COUNT * IF (CAST(ts AS DATE)) > '2026-01-01'",
    ],
    [
      simple('n', "{{ TimeDimension('o__day', 'YEAR') }} > '2026-01-01'"),
      "COUNT * IF CAST(DATE_TRUNC('year', CAST(ts AS DATE)) AS DATE) > '2026-01-01'",
    ],
    [
      simple('{ name: n, filter: "{{ Entity(\'c\') }} > 1" }', "{{ Entity('o') }} > 2"),
      'COUNT * IF (id > 2) AND (customer_id > 1)',
    ],
    ['{ name: x, type: simple, type_params: { measure: { name: n, fill_nulls_with: 0 } } }', 'COUNT *'],
    [
      '{ name: x, type: derived, type_params: { expr: "n + 1", metrics: [{ name: y, alias: n }] } }\n- { name: y, type: simple, type_params: { measure: seen }, filter: "{{ Entity(\'c\') }} > 1" }',
      'CUSTOM (CASE WHEN COUNT(CASE WHEN customer_id > 1 THEN 1 END) > 0 THEN COUNT(CASE WHEN customer_id > 1 THEN mail END) END) + 1',
    ],
  ])('reads %s', (metric, measure) => {
    const { measures } = summarize(withMetrics(metric));
    expect(measures[0]).toBe(measure);
  });

  it.each([
    [
      simple('total', "{{ Dimension('c__state') }} = 'a'"),
      'it needs `c__state`, which belongs to another entity',
    ],
    [
      simple('total', "{{ Dimension('c__region') }} = 'a'"),
      'it needs `c__region`, which belongs to another entity',
    ],
    [simple('total', "{{ Dimension('state') }} = 'a'"), 'it needs `state`, which belongs to another entity'],
    [simple('total', "{{ Metric('x', ['o']) }} > 1"), 'only the other tool understands'],
    [simple('total', '{% if true %} 1 = 1 {% endif %}'), 'only the other tool understands'],
    [simple('total', '1 = 1) OR (1 = 1'), 'this SQL has an unmatched `)`'],
    [simple('nothing', '1 = 1'), 'there is no `nothing`'],
    [
      '{ name: x, type: ratio, type_params: { numerator: y, denominator: y } }',
      'it needs `y`, which could not be imported',
    ],
    ['{ name: x, type: conversion }', 'a conversion metric uses times outside its group'],
    ['{ name: x, type: simple, config: { enabled: false } }', 'it is disabled'],
  ])('leaves out %s', (metric, why) => {
    const { measures, lines } = summarize(withMetrics(metric));
    expect(measures.filter((measure) => !/^(COUNT \*|SUM amount|COUNT mail)$/.test(measure))).toEqual([]);
    expect(lines.filter((line) => line.includes('the metric x'))).toEqual([expect.stringContaining(why)]);
  });

  it.each([
    ["{ name: x, type: derived, type_params: { expr: 'n * {{ rate }}', metrics: [n_] } }", 'the metric x'],
    ["{ name: x, type: derived, type_params: { expr: 'n_ {% if a %}+ 1{% endif %}', metrics: [n_] } }", 'x'],
  ])('leaves out the template of %s', (metric, what) => {
    const { measures, lines } = summarize(
      withMetrics(metric, '{ name: n_, type: simple, type_params: { measure: n } }'),
    );
    expect(measures).toEqual(['COUNT *', 'SUM amount', 'COUNT mail']);
    expect(lines).toContainEqual(expect.stringMatching(`${what}: only the other tool understands`));
  });

  it('leaves out fields and measures with templates', () => {
    const { measures, dimensions, lines } = summarize(
      importText(
        'dbt',
        `semantic_models:
- name: orders
  model: ref('orders')
  entities: [{ name: o, type: primary, expr: id }, { name: c, type: foreign, expr: "{{ key('c') }}" }]
  dimensions:
  - { name: state, type: categorical, expr: "{{ lower('state') }}" }
  - { name: day, type: time, expr: "{% if a %}a{% endif %}" }
  measures:
  - { name: total, agg: sum, create_metric: true, expr: "amount * {{ var('rate') }}" }
`,
      ),
    );
    expect({ measures, dimensions }).toEqual({ measures: [], dimensions: ['TEXT id'] });
    expect(lines.filter((line) => line.includes('only the other tool understands'))).toHaveLength(4);
  });

  it('joins by entities, and creates no cross product of two foreign ones', () => {
    const { model, lines } = importText(
      'dbt',
      `semantic_models:
- { name: a, model: ref('a'), entities: [{ name: a, type: primary, expr: id }, { name: k, type: foreign, expr: "lower(k)" }] }
- { name: b, model: "source('raw', 'b')", primary_entity: b, entities: [{ name: k, type: foreign }, { name: a, type: unique, expr: a_id }] }
- { name: c, model: "ref('pkg', 'c')", entities: [{ name: k, type: primary, expr: key }] }
- { name: d, model: ref('d'), entities: [{ name: k, type: unique }, { name: z, type: natural }] }
- { name: e, model: "select 1" }
`,
    );
    const entities = model!.layers[0]!.domains[0]!.entities;
    const joins = entities.flatMap(({ name, relationships }) =>
      relationships.map((each) => `${name}.${each.name} ${each.joinType} ${each.expr}`),
    );
    expect(entities.map(({ source }) => source)).toEqual(
      ['a', 'raw.b', 'c', 'd'].map((name) => ({ kind: 'table', name })),
    );
    expect(joins).toEqual([
      'a.a ONE_TO_ONE a.id = b.a_id',
      'a.k_c MANY_TO_ONE lower(a.k) = c.key',
      'a.k_d MANY_TO_ONE lower(a.k) = d.k',
      'b.k_c MANY_TO_ONE b.k = c.key',
      'b.k_d MANY_TO_ONE b.k = d.k',
      'c.k ONE_TO_ONE c.key = d.k',
    ]);
    expect(lines.filter((line) => !/TEXT is assumed|its schema/.test(line))).toEqual([
      expect.stringContaining('a natural key joins rows by their validity period'),
      expect.stringContaining('`select 1` does not name a dbt model'),
    ]);
  });
});

describe('Cube', () => {
  const withMeasure = (measure: string, more = '') =>
    importText(
      'cube',
      `cubes:
- name: orders
  sql_table: orders
  dimensions:
  - { name: state, sql: state, type: string }
  - { name: net, sql: "{CUBE}.gross - {CUBE}.tax", type: number }
  measures:
  - ${measure}
${more}- { name: customers, sql_table: customers, dimensions: [{ name: id, sql: id, type: number, primary_key: true }] }
`,
    );

  it.each([
    ['{ name: x, type: sum, sql: "{net}" }', 'SUM gross - tax'],
    ['{ name: x, type: sum, sql: "{CUBE.net} * {orders}.rate" }', 'SUM (gross - tax) * rate'],
    [
      '{ name: x, type: sum, sql: "{CUBE}.\\"Net Value\\" + {CUBE}.order" }',
      'SUM "Net Value" + orders.order',
    ],
    ['{ name: x, type: count, sql: id }', 'COUNT id'],
    [
      '{ name: x, type: count, filters: [{ sql: "{CUBE}.state = \'a\'" }, { sql: "{net} > 1 OR {net} < 0" }] }',
      "COUNT * IF (state = 'a') AND ((gross - tax) > 1 OR (gross - tax) < 0)",
    ],
    ['{ name: x, type: number, sql: "SUM({net})" }', 'SUM gross - tax'],
    [
      '{ name: x, type: count, filters: [{ sql: "{CUBE}.tags = \'\\\\{a,b\\\\}\'" }] }',
      "COUNT * IF tags = '{a,b}'",
    ],
  ])('reads %s', (measure, expected) => {
    expect(summarize(withMeasure(measure))).toMatchObject({ measures: [expected], lines: [] });
  });

  it.each([
    [
      '{ name: x, type: sum, sql: "{customers.id}" }',
      'it needs `customers.id`, which belongs to another entity',
    ],
    [
      '{ name: x, type: sum, sql: "customers.credit" }',
      '`customers.credit` is a column of the entity `customers`',
    ],
    ['{ name: x, type: sum, sql: "{nothing}" }', 'there is no `nothing`'],
    ['{ name: x, type: sum, sql: "{SECURITY_CONTEXT.a}" }', 'it needs `SECURITY_CONTEXT.a`'],
    ['{ name: x, type: sum, sql: "{{ a }}" }', 'only the other tool understands'],
    ['{ name: x, type: sum, sql: "to_json({CUBE})" }', 'only the other tool understands'],
    ['{ name: x, type: number, sql: "{net}" }', 'it has no aggregate'],
    ['{ name: x, type: number, sql: "SUM(a) / 2", filters: [{ sql: "a > 1" }] }', 'a filter applies to rows'],
    ['{ name: x, type: sum }', 'it has no `sql`'],
    ['{ name: x, type: sum, sql: "SUM(a)" }', 'SUM already aggregates'],
    ['{ name: x, type: best, sql: a }', 'the type `best` is unknown'],
    ['{ name: state, type: sum, sql: a }', 'another field has the name `state`, in model.yaml:5'],
  ])('leaves out %s', (measure, why) => {
    const { measures, lines } = summarize(withMeasure(measure));
    expect(measures).toEqual([]);
    expect(lines).toEqual([expect.stringContaining(why)]);
  });

  it.each([
    [
      '{ name: customers, relationship: hasMany, sql: "{orders}.customer_id = {customers}.id" }',
      'orders.customer_id = customers.id',
    ],
    [
      '{ name: customers, relationship: one_to_one, sql: "{net} = {customers.id} AND {CUBE}.a < {customers}.b" }',
      '(orders.gross - orders.tax) = customers.id AND orders.a < customers.b',
    ],
    [
      '{ name: customers, relationship: many_to_one, sql: "customer_id = {customers.id}" }',
      'it is not clear which words in `customer_id` are columns',
    ],
    [
      '{ name: nobody, relationship: many_to_one, sql: "{CUBE}.a = {nobody}.b" }',
      'there is no `nobody` to join',
    ],
    [
      '{ name: customers, relationship: many_to_many, sql: "{CUBE}.a = {customers}.b" }',
      'the type `many_to_many` is unknown',
    ],
  ])('joins %s', (join, expected) => {
    const { model, lines } = withMeasure('{ name: x, type: count }', `  joins:\n  - ${join}\n`);
    const { relationships } = model!.layers[0]!.domains[0]!.entities[0]!;
    expect([...relationships.map(({ expr }) => expr), ...lines].join()).toContain(expected);
  });
});
