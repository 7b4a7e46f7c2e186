import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { modelWith } from '../../support/models.ts';
import { makeHome, quern } from '../../support/quern.ts';

const SERVERS = [
  ['duckdb', '"', null],
  ['postgresql', '"', inject('postgresql')],
  ['mysql', '`', inject('mariadb')],
] as const;

/**
 * Text after `$` or in braces belongs to the database here; a script would have parameters in these places.
 */
const createModel = (platform: string, quote: string) => `version: "1.0"
layers:
- name: shop
  environment: { platform: ${platform} }
  domains:
  - name: sales
    entities:
    - name: orders
      table_name: model_orders
      x_primary_key: [id]
      dimensions:
      - name: status
        data_type: TEXT
        expr: "CONCAT(status, '$name', '{{x}}') /* $name, it's :x */"
      - { name: cost, data_type: INTEGER, expr: '${quote}cost $name${quote}' }
      - name: day
        data_type: DATE
        expr: |
          -- the $name's
          dya
      measures:
      - { name: revenue, data_type: DECIMAL, aggregation_type: SUM, expr: amount, x_filter: "stat <> '$1'" }
      - { name: average, data_type: DECIMAL, aggregation_type: CUSTOM, expr: SUM(amout) / COUNT(*) }
      - { name: paid, data_type: DECIMAL, aggregation_type: SUM, expr: amount, x_filter: "status <> '$1 ?'" }
      relationships:
      - name: customer
        to_entity: customers
        join_type: MANY_TO_ONE
        expr: "orders.customer_id = customers.id AND '$name' <> '$$' /* $x */"
      - { name: payer, join_type: MANY_TO_ONE, to_entity: customers, expr: orders.customer_id = customers.idd }
      - { name: place, join_type: MANY_TO_ONE, to_entity: places, expr: orders.id = places.id }
    - name: customers
      query: |
        SELECT id, '$region' AS region FROM model_customers -- it's $x
      dimensions: [{ name: region, data_type: TEXT, expr: region }]
    - name: places
      table_name: model_places
      dimensions: [{ name: city, data_type: TEXT, expr: city }]
`;

const createTables = (quote: string) => `
DROP TABLE IF EXISTS model_orders;
DROP TABLE IF EXISTS model_customers;
CREATE TABLE model_orders AS
SELECT 1 AS id, 1 AS customer_id, 'a' AS status, 2.5 AS amount, DATE '2026-01-31' AS day, 3 AS ${quote}cost $name${quote};
INSERT INTO model_orders SELECT * FROM model_orders;
CREATE TABLE model_customers AS SELECT 1 AS id UNION ALL SELECT 1;
`;

describe.each(SERVERS)('quern semantic check on %s', (platform, quote, server) => {
  it.skipIf(platform !== 'duckdb' && server === null)(
    'reports exactly the places that contradict the database or the data',
    async () => {
      const cwd = await makeHome();
      const name = server === null ? 'duckdb' : 'db';
      if (server !== null) {
        const { password, ...options } = server;
        const set = Object.entries(options).flatMap(([key, value]) => ['--set', `${key}=${value}`]);
        const secret = ['--secret', 'password=env:PASSWORD'];
        const env = { PASSWORD: password };
        const added = await quern(['connection', 'create', name, '--kind', platform, ...set, ...secret], {
          cwd,
          env,
        });
        expect(added.exitCode).toBe(0);
      }
      const input = createTables(quote);
      expect(await quern(['sql', '-', '--connection', name], { cwd, input })).toMatchObject({ exitCode: 0 });
      writeFileSync(path.join(cwd, 'm.yaml'), createModel(platform, quote));
      const { exitCode, stdout, stderr } = await quern(
        ['semantic', 'check', 'm.yaml', '--connection', name],
        { cwd },
      );
      const places = stdout.split('\n').filter((line) => line.includes(': error: '));
      expect(places.map((line) => line.split(': error: ')[0])).toEqual([
        'm.yaml:18:15',
        'm.yaml:22:93',
        'm.yaml:23:78',
        'm.yaml:37:19',
        'm.yaml:10:22',
        'm.yaml:28:20',
        'm.yaml:30:76',
      ]);
      const known = ['dya', 'stat', 'amout', 'model_places', 'several rows have the same id', '', 'idd'];
      for (const [at, word] of known.entries()) expect(places[at]).toContain(word);
      expect(places[5]).toContain(
        'declared as MANY_TO_ONE, but one row of orders has several rows of customers',
      );
      expect([exitCode, stderr]).toEqual([1, '1 file: 0 errors, 1 warning; 8 tests, 7 failed\n']);
    },
  );
});

it('reports relationships between columns of different types, which some semantic queries could not compare', async () => {
  const cwd = await makeHome();
  const input = "CREATE TABLE a AS SELECT 1 AS id; CREATE TABLE b AS SELECT '01' AS a_id, 1 AS id;";
  expect(await quern(['sql', '-'], { cwd, input })).toMatchObject({ exitCode: 0 });
  const joins = [
    '{ name: bs, join_type: ONE_TO_MANY, to_entity: b, expr: a.id = b.a_id }',
    '{ name: b, join_type: ONE_TO_ONE, to_entity: b, expr: a.id = b.id }',
    '{ name: cast, join_type: ONE_TO_MANY, to_entity: b, expr: a.id = CAST(b.a_id AS INTEGER) }',
  ];
  const text = modelWith(`    - name: a
      table_name: a
      relationships:
${joins.map((join) => `      - ${join}\n`).join('')}    - { name: b, table_name: b }
`);
  writeFileSync(path.join(cwd, 'm.yaml'), text);
  const { stdout, stderr } = await quern(['semantic', 'check', 'm.yaml', '--connection', 'duckdb'], { cwd });
  const errors = stdout.split('\n').filter((line) => line.includes(': error: '));
  expect(errors).toEqual([expect.stringMatching(/^m\.yaml:11:65: error: .*VARCHAR and INTEGER/)]);
  expect(stderr).toContain('1 failed');
});

it('reports grains and sums of columns that are neither dates nor numbers, and only the expression if it is wrong', async () => {
  const cwd = await makeHome();
  const input = "CREATE TABLE a AS SELECT 'x' AS day, DATE '2026-01-31' AS made";
  expect(await quern(['sql', '-'], { cwd, input })).toMatchObject({ exitCode: 0 });
  const text = `version: "1.0"
layers:
- name: l
  environment: { platform: duckdb }
  x_timezone: Europe/Berlin
  domains:
  - name: d
    entities:
    - name: a
      table_name: a
      dimensions:
      - { name: made, data_type: DATE, expr: made, x_grains: [month, year] }
      - { name: day, data_type: DATE, expr: day, x_grains: [month, year] }
      - { name: dya, data_type: DATETIME, expr: dya, x_grains: [month, year] }
      measures:
      - { name: days, data_type: INTEGER, aggregation_type: SUM, expr: day }
      - { name: last, data_type: INTEGER, aggregation_type: COUNT, expr: day }
`;
  writeFileSync(path.join(cwd, 'm.yaml'), text);
  const { stdout } = await quern(['semantic', 'check', 'm.yaml', '--connection', 'duckdb'], { cwd });
  const errors = stdout.split('\n').filter((line) => line.includes(': error: '));
  expect(errors).toEqual([
    'm.yaml:13:33: error: this is declared as DATE, but in the database it is STRING',
    expect.stringMatching(/^m\.yaml:14:49: error: .*dya/),
    expect.stringMatching(/^m\.yaml:16:72: error: .*sum\(VARCHAR\)/),
  ]);
});
