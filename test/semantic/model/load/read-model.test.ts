import { describe, expect, it } from 'vitest';
import { toMetadata } from '../../../../src/semantic/metadata/to-metadata.ts';
import { readModel } from '../../../../src/semantic/model/load/read-model.ts';
import { findMessages, readOne, withEntities } from '../../files.ts';

const SAMPLE = `
version: "1.0"
layers:
- name: commerce
  environment: { platform: duckdb }
  domains:
  - name: sales
    entities:
    - name: orders
      table_name: shop.orders            # xor query: |
      x_primary_key: [id]                # optional
      dimensions:
      - { name: status, data_type: TEXT, expr: status }
      - { name: ordered_on, data_type: DATE, expr: ordered_on }
      measures:
      - { name: revenue, data_type: DECIMAL, aggregation_type: SUM, expr: amount }
      - { name: aov, data_type: DECIMAL, aggregation_type: CUSTOM, expr: "SUM(amount) / NULLIF(COUNT(*), 0)" }
      relationships:
      - { name: customer, join_type: MANY_TO_ONE, to_entity: customers, expr: "orders.customer_id = customers.id" }
    - { name: customers, table_name: shop.customers }
`;

describe('a valid model', () => {
  it('is read with all defaults', () => {
    const { model, diagnostics } = readOne(SAMPLE);
    expect(diagnostics).toEqual([]);
    const [layer] = model!.layers;
    expect(layer).toMatchObject({ name: 'commerce', platform: 'duckdb', timezone: 'UTC', synonyms: [] });
    expect(layer!.domains[0]!.entities[0]).toMatchObject({
      name: 'orders',
      source: { kind: 'table', name: 'shop.orders' },
      primaryKey: ['id'],
      dimensions: [
        {
          name: 'status',
          dataType: 'TEXT',
          hidden: false,
          expr: 'status',
          grain: null,
          caseSensitive: false,
        },
        { name: 'ordered_on', dataType: 'DATE' },
      ],
      measures: [
        { name: 'revenue', dataType: 'DECIMAL', expr: 'amount', aggregation: 'SUM', filter: null },
        { name: 'aov', aggregation: 'CUSTOM', expr: 'SUM(amount) / NULLIF(COUNT(*), 0)' },
      ],
      relationships: [{ name: 'customer', joinType: 'MANY_TO_ONE', toEntity: 'customers' }],
    });
    expect(layer!.domains[0]!.entities[1]!.primaryKey).toBeNull();
  });

  it('is shown with exactly the keys of the interface', () => {
    expect(toMetadata(readOne(SAMPLE).model!)).toEqual({
      version: '1.0',
      layers: [
        {
          name: 'commerce',
          environment: { platform: 'duckdb' },
          domains: [
            {
              name: 'sales',
              entities: [
                {
                  name: 'orders',
                  table_name: 'shop.orders',
                  dimensions: [
                    { name: 'status', data_type: 'TEXT', hidden: false, expr: 'status' },
                    { name: 'ordered_on', data_type: 'DATE', hidden: false, expr: 'ordered_on' },
                  ],
                  measures: [
                    {
                      name: 'revenue',
                      data_type: 'DECIMAL',
                      hidden: false,
                      expr: 'amount',
                      aggregation_type: 'SUM',
                    },
                    {
                      name: 'aov',
                      data_type: 'DECIMAL',
                      hidden: false,
                      expr: 'SUM(amount) / NULLIF(COUNT(*), 0)',
                      aggregation_type: 'CUSTOM',
                    },
                  ],
                  relationships: [
                    {
                      name: 'customer',
                      join_type: 'MANY_TO_ONE',
                      to_entity: 'customers',
                      expr: 'orders.customer_id = customers.id',
                    },
                  ],
                },
                {
                  name: 'customers',
                  table_name: 'shop.customers',
                  dimensions: [],
                  measures: [],
                  relationships: [],
                },
              ],
            },
          ],
        },
      ],
    });
  });

  it('can be its own metadata, in JSON', () => {
    const { model } = readOne(SAMPLE);
    const again = readOne(JSON.stringify(toMetadata(model!), null, 2), 'model.json');
    expect(again.diagnostics).toEqual([]);
    expect(toMetadata(again.model!)).toEqual(toMetadata(model!));
  });

  it('can have all extensions, which the metadata leaves out', () => {
    const text = `
version: "1.0"
layers:
- name: l
  label: L
  environment: { platform: PostgreSQL }
  x_timezone: Europe/Berlin
  x_synonyms: [one, two]
  domains:
  - name: d
    label: D
    description: the d
    x_synonyms: [dd]
    entities:
    - name: e
      label: E
      description: the e
      query: |
        SELECT 1 AS a
      x_primary_key: [a, "b c"]
      x_synonyms: [ee]
      dimensions:
      - { name: t, label: T, data_type: text, expr: t, hidden: true, x_case_sensitive: true, x_synonyms: [tt] }
      - { name: at, label: At, data_type: DateTime, expr: at, x_grains: [Day, week, month, quarter, year] }
      measures:
      - { name: m, label: M, data_type: integer, aggregation_type: count_distinct, expr: a, hidden: true, x_filter: a > 1, x_synonyms: [mm] }
      - { name: n, data_type: INTEGER, aggregation_type: COUNT, expr: " * " }
`;
    const { model, diagnostics } = readOne(text);
    expect(diagnostics).toEqual([]);
    const [layer] = model!.layers;
    const [domain] = layer!.domains;
    const [entity] = domain!.entities;
    expect(layer).toMatchObject({
      platform: 'postgresql',
      timezone: 'Europe/Berlin',
      synonyms: ['one', 'two'],
    });
    expect(domain).toMatchObject({ synonyms: ['dd'] });
    expect(entity).toMatchObject({
      source: { kind: 'query', sql: 'SELECT 1 AS a\n' },
      primaryKey: ['a', 'b c'],
      synonyms: ['ee'],
    });
    const names = entity!.dimensions.map(({ name, dataType, grain }) => [name, dataType, grain]);
    expect(names).toEqual([
      ['t', 'TEXT', null],
      ['at', 'DATETIME', null],
      ['at_day', 'DATE', 'day'],
      ['at_week', 'DATE', 'week'],
      ['at_month', 'DATE', 'month'],
      ['at_quarter', 'DATE', 'quarter'],
      ['at_year', 'DATE', 'year'],
    ]);
    expect(entity!.dimensions[0]).toMatchObject({ hidden: true, caseSensitive: true, synonyms: ['tt'] });
    expect(entity!.measures).toMatchObject([
      { aggregation: 'COUNT_DISTINCT', filter: 'a > 1', hidden: true, synonyms: ['mm'] },
      { expr: '*' },
    ]);
    const told = JSON.stringify(toMetadata(model!));
    expect(told).not.toMatch(/x_|synonym|timezone|grain|filter/);
    expect(told).toContain('"label":"L"');
    expect(told).toContain('"description":"the e","query":"SELECT 1 AS a\\n"');
  });

  it.each([
    ['europe/berlin', 'Europe/Berlin'],
    ['AMERICA/PORT-AU-PRINCE', 'America/Port-au-Prince'],
    ['utc', 'UTC'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
    ['asia/kolkata', 'Asia/Calcutta'],
    ['US/Eastern', 'US/Eastern'],
    ['CET', 'CET'],
  ])('has the time zone %s in the spelling of databases', (written, zone) => {
    const { model } = readOne(
      withEntities('- { name: a, table_name: a }').replace(
        '  domains',
        `  x_timezone: ${written}\n  domains`,
      ),
    );
    expect(model!.layers[0]!.timezone).toBe(zone);
  });

  it('can be empty', () => {
    const { model, diagnostics } = readOne('version: "1.0"\nlayers: []\n');
    expect(diagnostics).toEqual([]);
    expect(toMetadata(model!)).toEqual({ version: '1.0', layers: [] });
  });

  it.each([
    ['a byte order mark', (text: string) => `\ufeff${text}`],
    ['Windows line ends', (text: string) => text.replaceAll('\n', '\r\n')],
    ['a document start', (text: string) => `---${text}`],
  ])('can have %s', (_, change) => {
    expect(readOne(change(SAMPLE)).diagnostics).toEqual([]);
  });

  it('can share repeated parts', () => {
    const text = withEntities(
      '- { name: a, table_name: a, dimensions: &common [&id { name: id, data_type: INTEGER, expr: id }], relationships: [{ name: b, join_type: ONE_TO_ONE, to_entity: b, expr: a.id = b.id }] }',
      '- { name: b, table_name: b, dimensions: *common }',
      '- { name: c, table_name: c, dimensions: [*id], relationships: [{ name: b, join_type: ONE_TO_ONE, to_entity: b, expr: c.id = b.id }] }',
    );
    const { model, diagnostics } = readOne(text);
    expect(diagnostics).toEqual([]);
    const dimensions = model!.layers[0]!.domains[0]!.entities.map((entity) => entity.dimensions);
    expect(dimensions).toMatchObject([[{ name: 'id' }], [{ name: 'id' }], [{ name: 'id' }]]);
  });
});

describe('several files', () => {
  const file = (name: string, entity: string, more = '') => ({
    name,
    text: `version: "1.0"\nlayers:\n- name: l\n${more}  environment: { platform: duckdb }\n  domains:\n  - name: d\n    entities:\n    - ${entity}\n`,
  });
  const items =
    '{ name: items, table_name: items, relationships: [{ name: o, join_type: MANY_TO_ONE, to_entity: orders, expr: items.o = orders.id }] }';

  it('are one model, in the order of the files', () => {
    const { model, diagnostics } = readModel([
      file('a.yaml', items, '  x_synonyms: [one]\n'),
      file('b.yaml', '{ name: orders, table_name: orders }', '  label: L\n  x_synonyms: [two, one]\n'),
    ]);
    expect(diagnostics).toEqual([]);
    expect(model!.layers).toHaveLength(1);
    expect(model!.layers[0]).toMatchObject({ label: 'L', synonyms: ['one', 'two'] });
    expect(model!.layers[0]!.domains).toHaveLength(1);
    expect(model!.layers[0]!.domains[0]!.entities.map(({ name }) => name)).toEqual(['items', 'orders']);
  });

  it('report their errors by file and position', () => {
    const { diagnostics } = readModel([
      file('z.yaml', '{ name: a, table_nam: a }'),
      file('a.yaml', items.replace('orders,', 'order,')),
    ]);
    expect(diagnostics.map(({ file: name, line }) => `${name}:${line}`)).toEqual([
      'z.yaml:8',
      'z.yaml:8',
      'a.yaml:8',
    ]);
  });
});

describe('limits', () => {
  it('refuses a file of more than 2 MB without reading it', () => {
    expect(findMessages(`#${'x'.repeat(2 * 1024 ** 2)}`)).toEqual([
      '1:1 a model file can have at most 2 MB: split it into several files in one folder',
    ]);
  });

  it.each([
    ['lists', '['.repeat(50_000)],
    ['maps', '{a: '.repeat(50_000)],
    ['block lists', '- '.repeat(50_000)],
    ['keys', '? '.repeat(50_000)],
  ])('survives %s nested 50,000 deep', (_, text) => {
    const messages = findMessages(text);
    expect(messages).toHaveLength(1);
  });

  it('survives an alias of an alias of an alias', () => {
    const ten = (name: string, of: string) => `${name}: &${name} [${Array(10).fill(of).join(', ')}]`;
    const levels = 'bcdefghij'.split('').map((name, at) => ten(name, `*${'abcdefghi'[at]}`));
    const bomb = `a: &a [x]\n${levels.join('\n')}\nversion: "1.0"\nlayers: *j\n`;
    expect(findMessages(bomb).at(-1)).toContain('`&j`');
    const lists = 'layers:\n- &l { name: l, environment: { platform: duckdb }, domains: &d [] }\n';
    const many = `version: "1.0"\n${lists}${'- *l\n'.repeat(60_000)}`;
    const messages = findMessages(many);
    expect(messages.length).toBeLessThan(400);
    expect(messages.some((message) => message.includes('aliases make this file too large'))).toBe(true);
  });

  it('survives an alias inside its own anchor', () => {
    expect(findMessages('version: "1.0"\nlayers: &l [*l]\n')).toEqual([
      '2:12 each layer must be a map of keys and values, not a list',
    ]);
  });

  it('reports a hundred errors of a file, and the number of others', () => {
    const messages = findMessages(Array.from({ length: 5_000 }, (_, at) => `key${at}: 1\n`).join(''));
    expect(messages).toHaveLength(101);
    expect(messages.at(-1)).toMatch(/and 4902 more$/);
  });

  it('refuses more than 2,000 entities', () => {
    const all = Array.from({ length: 2_001 }, (_, at) => `- { name: e${at}, table_name: t }`);
    expect(findMessages(withEntities(...all))).toEqual(['2008:15 a model can have at most 2000 entities']);
  });

  it.each([
    ['"\\0"', 'well-formed Unicode without NUL'],
    ['"\\ud800"', 'well-formed Unicode without NUL'],
  ])('refuses %s in a string', (text, wanted) => {
    expect(findMessages(withEntities(`- { name: a, table_name: a, label: ${text} }`))).toEqual([
      `8:40 \`label\` must be ${wanted}`,
    ]);
  });

  it('treats keys that every JavaScript object has as unknown', () => {
    const messages = findMessages(
      'version: "1.0"\nlayers: []\n__proto__: { x: 1 }\nconstructor: 1\ntoString: 2\n',
    );
    expect(messages.map((message) => message.split(';')[0])).toEqual([
      '3:1 unknown key `__proto__`',
      '4:1 unknown key `constructor`',
      '5:1 unknown key `toString`',
    ]);
  });

  it('runs no code for a tag', () => {
    const messages = findMessages('version: !!js/function "1.0"\nlayers: []\n');
    expect(messages).toEqual(['1:10 invalid YAML: Unresolved tag: tag:yaml.org,2002:js/function']);
  });
});
