import { describe, expect, it } from 'vitest';
import { compileQuery } from '../../../src/semantic/compile/compile-query.ts';
import type { ImportFormat } from '../../../src/semantic/import/import-model.ts';
import { ask } from '../ask.ts';
import { openShop } from '../shop-database.ts';
import { importText } from './import-fixture.ts';

/** The names of entities with their tables and fields. */
function summarize({ model, failures, errors }: ReturnType<typeof importText>) {
  expect([failures, errors]).toEqual([[], []]);
  const entities = model!.layers.flatMap((layer) => layer.domains.flatMap((domain) => domain.entities));
  return entities.map(({ name, source, dimensions, measures }) =>
    [
      name,
      source.kind === 'table' ? source.name : source.sql,
      ...dimensions.filter(({ grain }) => grain === null).map((own) => own.name),
      ...measures.map((own) => own.name),
    ].join(' '),
  );
}

describe('a file with several documents', () => {
  const FILES: readonly (readonly [ImportFormat, string, readonly string[]])[] = [
    [
      'dbt',
      `---
# The first one is a comment alone.
---
semantic_models:
- &a { name: a, model: ref('a'), entities: [{ name: a, type: primary }] }
---
metrics: [{ name: n, type: simple, type_params: { measure: n_ } }]
---
semantic_models:
- { name: b, model: ref('b'), entities: [{ name: a, type: foreign }], measures: [{ name: n_, agg: count, expr: 1 }] }
...
`,
      ['a a a', 'b b a n'],
    ],
    [
      'cube',
      'cubes:\n- { name: a, sql_table: a }\n---\ncubes:\n- { name: b, sql_table: s.b, measures: [{ name: n, type: count }] }\n',
      ['a a', 'b s.b n'],
    ],
    [
      'ossie',
      'semantic_model: [{ name: m, datasets: [{ name: a, source: a }] }]\n---\nname: n\ndatasets: [{ name: b, source: b }]\n',
      ['a a', 'b b'],
    ],
  ];

  it.each(FILES)('is read: %s', (from, text, entities) => {
    expect(summarize(importText(from, text))).toEqual(entities);
  });

  it('reports errors and losses with their lines', () => {
    const { lines } = importText('cube', 'cubes:\n- { name: a, sql_table: a }\n---\ncubes:\n- { name: b }\n');
    expect(lines).toEqual(['model.yaml:5:3: dropped: the cube b: it has no `sql_table`']);
    const { failures } = importText('cube', 'cubes: []\n---\ncubes: *a\n');
    expect(failures).toEqual(['3:8 there is no anchor `&a` before this alias']);
  });

  it('keeps anchors local to their documents', () => {
    const { failures } = importText('cube', 'cubes: [&a { name: a, sql_table: a }]\n---\ncubes: [*a]\n');
    expect(failures).toEqual(['3:9 there is no anchor `&a` before this alias']);
  });
});

describe('a manifest of MetricFlow', () => {
  const text = `---
project_configuration:
  time_spine_table_configurations: [{ location: $source_schema.spine, column_name: ds, grain: day }]
---
semantic_model:
  name: views
  node_relation: { schema_name: analytics, alias: fct_views }
  entities: [{ name: view, type: primary, expr: id }]
  measures: [{ name: views, agg: count, expr: 1, create_metric: true }]
---
semantic_model:
  name: users
  node_relation: { schema_name: $source_schema, alias: dim_users }
  entities: [{ name: user, type: primary, expr: id }]
  measures: [{ name: age, agg: max }]
---
semantic_model:
  name: far
  node_relation: { database: lake, schema_name: "my schema", alias: far }
---
metric: { name: oldest, description: The oldest of them, type: simple, type_params: { measure: age } }
`;

  it('is read with its tables, whose schema can be open', () => {
    const imported = importText('dbt', text);
    expect(summarize(imported)).toEqual([
      'views analytics.fct_views view views',
      'users dim_users user oldest',
      'far lake."my schema".far',
    ]);
    expect(imported.lines.filter((line) => !line.includes('TEXT is assumed'))).toEqual([
      'model.yaml:3:3: dropped: `time_spine_table_configurations` of the project configuration: days without rows are not added',
      'model.yaml:12:3: approximated: the semantic model users: it is read as the table `dim_users`: its schema is not in the file',
    ]);
    expect(imported.text).toContain('x_description: The oldest of them');
  });
});

describe('the semantic manifest of dbt', () => {
  const filter = (sql: string) => ({ where_filters: [{ where_sql_template: sql }] });
  const manifest = (metrics: readonly object[]) =>
    JSON.stringify({
      semantic_models: [
        {
          name: 'orders',
          defaults: null,
          description: null,
          node_relation: {
            alias: 'orders',
            schema_name: 'marts',
            database: 'lake',
            relation_name: '"lake"."marts"."orders"',
          },
          primary_entity: null,
          entities: [
            { name: 'o', type: 'primary', expr: 'id', role: null, metadata: null, config: { meta: {} } },
          ],
          measures: [{ name: 'total', agg: 'sum', expr: 'amount', create_metric: false, agg_params: null }],
          dimensions: [
            { name: 'paid', type: 'categorical', expr: null, is_partition: false, type_params: null },
          ],
        },
      ],
      metrics,
      project_configuration: {
        time_spine_table_configurations: [],
        time_spines: [],
        metadata: null,
        dsi_package_version: { major_version: '0' },
      },
      saved_queries: [],
    });
  const measure = {
    name: 'total',
    filter: filter("{{ Dimension('o__paid') }}"),
    alias: null,
    join_to_timespine: false,
    fill_nulls_with: null,
  };

  it('is read with its filters, and with metrics that have their own aggregation', () => {
    const { model, lines } = importText(
      'dbt',
      manifest([
        {
          name: 'a',
          type: 'simple',
          type_params: { measure, metrics: [], input_measures: [measure], join_to_timespine: false },
          filter: filter("{{ Entity('o') }} > 1"),
        },
        {
          name: 'b',
          type: 'simple',
          type_params: {
            measure: null,
            expr: 'amount * 2',
            metric_aggregation_params: { semantic_model: 'orders', agg: 'max', agg_time_dimension: null },
            input_measures: [],
          },
          filter: null,
        },
        {
          name: 'c',
          type: 'ratio',
          type_params: { numerator: { name: 'a', filter: null }, denominator: { name: 'b', filter: null } },
        },
      ]),
    );
    const [entity] = model!.layers[0]!.domains[0]!.entities;
    expect(entity!.source).toEqual({ kind: 'table', name: 'lake.marts.orders' });
    expect(
      entity!.measures.map(({ name, aggregation, expr, filter: own }) => [name, aggregation, expr, own]),
    ).toEqual([
      ['a', 'SUM', 'amount', '(id > 1) AND (paid)'],
      ['b', 'MAX', 'amount * 2', null],
      [
        'c',
        'CUSTOM',
        'CAST((SUM(CASE WHEN (id > 1) AND (paid) THEN amount END)) AS DOUBLE) / CAST(NULLIF(MAX(amount * 2), 0) AS DOUBLE)',
        null,
      ],
    ]);
    expect(lines.filter((line) => !line.includes('TEXT is assumed'))).toEqual([]);
  });

  it.each([
    ['a condition that is not a string', { where_filters: [{ where_sql_template: ['a'] }] }],
    ['a condition of another form', { where_filters: ['a'] }],
    ['a list with something else', ["{{ Entity('o') }} > 1", { sql: 'a' }]],
  ])('leaves out a metric whose filter has %s', (_, own) => {
    const { model, lines } = importText(
      'dbt',
      manifest([{ name: 'a', type: 'simple', type_params: { measure: 'total' }, filter: own }]),
    );
    expect(model!.layers[0]!.domains[0]!.entities[0]!.measures.map(({ name }) => name)).not.toContain('a');
    expect(lines).toContainEqual(
      expect.stringMatching(/the metric a: `filter` must be a string|the metric a: it has no SQL/),
    );
  });
});

describe('a Cube measure whose filters are not a list of maps', () => {
  it.each(['{ sql: "a = 1" }', '["{CUBE}.a = 1"]', '[{ sql: "a = 1" }, "b = 1"]'])(
    'is left out, because it would count more rows: %s',
    (filters) => {
      const { model, lines } = importText(
        'cube',
        `cubes: [{ name: a, sql_table: a, measures: [{ name: n, type: count }, { name: m, type: count, filters: ${filters} }] }]\n`,
      );
      expect(model!.layers[0]!.domains[0]!.entities[0]!.measures.map(({ name }) => name)).toEqual(['n']);
      expect(lines).toContainEqual(expect.stringContaining('`filters` must be a list of maps'));
    },
  );
});

describe('a cube with camel-case keys', () => {
  it('has the same meaning, so that a rolling window is not a total', () => {
    const { model, lines, text } = importText(
      'cube',
      `cubes:
- name: orders
  sqlTable: orders
  dimensions: [{ name: id, sql: id, type: number, primaryKey: true }]
  measures:
  - { name: buyers, sql: buyer, type: countDistinct }
  - { name: month, sql: amount, type: sum, rollingWindow: { trailing: 1 month } }
  - { name: all, type: count, drillMembers: [id] }
  preAggregations: [{ name: main, refreshKey: { every: 1 hour } }]
`,
    );
    const [entity] = model!.layers[0]!.domains[0]!.entities;
    expect(entity!.measures.map(({ name, aggregation }) => [name, aggregation])).toEqual([
      ['buyers', 'COUNT_DISTINCT'],
      ['all', 'COUNT'],
    ]);
    expect(text).toContain('x_primary_key: [ id ]');
    expect(lines).toEqual([
      'model.yaml:7:5: dropped: the measure orders.month: because of `rolling_window` it is computed from more than the rows of its group',
      'model.yaml:8:31: dropped: `drill_members` of the measure orders.all: it only affects how numbers are displayed',
      'model.yaml:9:3: dropped: `pre_aggregations` of the cube orders: it only affects how fast the other tool answers',
    ]);
  });
});

describe('a cast key of dbt', () => {
  it('joins models', async () => {
    const { index, lines } = importText(
      'dbt',
      `semantic_models:
- name: items
  model: ref('items')
  entities: [{ name: order, type: foreign, expr: CAST(order_id AS VARCHAR(20)) }]
  measures: [{ name: items, agg: count, expr: "1", create_metric: true }]
- name: orders
  model: ref('orders')
  entities: [{ name: order, type: primary, expr: id }]
  dimensions: [{ name: state, type: categorical }]
`,
    );
    expect(lines.filter((line) => line.includes('dropped'))).toEqual([]);
    const { sql } = compileQuery(index!, ask('orders.state', 'items.items'), {
      dialect: 'duckdb',
      strict: false,
    });
    const database = await openShop('duckdb');
    await database.execute("CREATE TEMP TABLE orders AS SELECT '1' AS id, 'paid' AS state");
    await database.execute('CREATE TEMP TABLE items AS SELECT 1 AS order_id');
    const rows = await database.run(sql);
    await database.close();
    expect(rows.map(String)).toEqual(['paid,1']);
  });
});

describe('unrelated files next to a model', () => {
  it.each([
    [
      'dbt',
      'name: shop\nconfig-version: 2\nmodel-paths: [models]\nmodels: { shop: { materialized: table } }\n',
    ],
    ['dbt', 'services: { db: {} }\n'],
    ['cube', '{"name": "shop", "scripts": {}}\n'],
  ] as const)('are reported in one line: %s %s', (from, text) => {
    const own = {
      dbt: "semantic_models: [{ name: a, model: ref('a') }]\n",
      cube: 'cubes: [{ name: a, sql_table: a }]\n',
    };
    const { lines } = importText(from, own[from], text);
    expect(lines.filter((line) => line.startsWith('model-2.yaml'))).toEqual([
      expect.stringMatching(/dropped: the file: it contains no part of a (dbt|Cube) model$/),
    ]);
    expect(importText(from, text).failures).toEqual([expect.stringMatching(/no (dbt|Cube) model found/)]);
  });
});

describe("dbt's parts that are not semantic models", () => {
  it('are reported if they are a time spine', () => {
    const { lines } = importText(
      'dbt',
      `models:
- { name: days, time_spine: { standard_granularity_column: day }, columns: [{ name: day, granularity: day }] }
- { name: orders, semantic_model: true, columns: [{ name: id, data_type: integer, entity: primary }] }
`,
    );
    expect(lines[0]).toBe(
      'model.yaml:2:29: dropped: `time_spine` of a model: days without rows are not added',
    );
  });
});

describe('an approximate percentile of dbt', () => {
  it.each([
    ['true', 'PERCENTILE_DISC'],
    ['false', 'PERCENTILE_CONT'],
  ])('is reported with the function that replaces it: discrete %s', (isDiscrete, call) => {
    const { text, lines } = importText(
      'dbt',
      `semantic_models:
- name: orders
  model: ref('orders')
  measures:
  - { name: p, agg: percentile, expr: a, agg_params: { percentile: 0.9, use_discrete_percentile: ${isDiscrete}, use_approximate_percentile: true } }
`,
    );
    expect(text).toContain(`${call}(0.9)`);
    expect(lines).toContainEqual(expect.stringContaining(`it is computed exactly, with ${call}`));
  });
});
