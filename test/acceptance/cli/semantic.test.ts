import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder, makeHome, quern } from '../../support/quern.ts';

const MODEL = `version: "1.0"
layers:
- name: shop
  environment: { platform: duckdb }
  domains:
  - name: sales
    entities:
    - name: orders
      table_name: orders
      x_primary_key: [id]
      dimensions:
      - { name: status, data_type: TEXT, expr: status }
      - { name: day, data_type: DATE, expr: day, x_grains: [month] }
      measures:
      - { name: revenue, data_type: DECIMAL, aggregation_type: SUM, expr: amount, x_filter: status <> 'x' }
      - { name: average, data_type: DECIMAL, aggregation_type: CUSTOM, expr: SUM(amount) / COUNT(*) }
      relationships:
      - { name: customer, join_type: MANY_TO_ONE, to_entity: customers, expr: orders.customer_id = customers.id }
    - name: customers
      table_name: customers
      dimensions: [{ name: region, data_type: TEXT, expr: region }]
      measures: [{ name: customers, data_type: INTEGER, aggregation_type: COUNT, expr: "*" }]
`;
const TABLES = `
CREATE TABLE orders AS SELECT 1 AS id, 1 AS customer_id, 'a|b' AS status, 2.5 AS amount, DATE '2026-01-31' AS day;
CREATE TABLE customers AS SELECT 1 AS id, 'north' AS region;
`;
const ASK = ['--dimensions', 'customers.region', '--measures', 'orders.revenue'];

/** Features that only the SQL of one platform has. */
const MARKS: Readonly<Record<string, RegExp>> = {
  redshift: /LOWER\("customers"\.region\) LIKE LOWER\('%x%'\) ESCAPE '!'/,
  yellowbrick: /STRPOS\(LOWER\("customers"\.region\), LOWER\('x'\)\) > 0/,
  snowflake: /"customers"\.region ILIKE '%x%' ESCAPE '!'/,
  bigquery: /STRPOS\(LOWER\(`customers`\.region\), LOWER\('x'\)\) > 0/,
  databricks: /`customers`\.region ILIKE '%x%' ESCAPE '!'/,
  trino: /NULLS LAST\nLIMIT 3\n$/,
  sqlserver: /DESC\nOFFSET 0 ROWS FETCH NEXT 3 ROWS ONLY\n$/,
  clickhouse: /ORDER BY 2 DESC NULLS LAST\nLIMIT 3\nSETTINGS join_use_nulls = 1/,
};

function write(cwd: string, name: string, text: string): void {
  mkdirSync(path.dirname(path.join(cwd, name)), { recursive: true });
  writeFileSync(path.join(cwd, name), text);
}

/** A home with the data of the model, and the model next to it. */
async function makeShop(): Promise<string> {
  const cwd = await makeHome();
  write(cwd, 'model.yaml', MODEL);
  const { exitCode } = await quern(['sql', '-'], { cwd, input: TABLES });
  expect(exitCode).toBe(0);
  return cwd;
}

describe('quern semantic metadata', () => {
  it('prints the interface’s body of a model on disk, without a home', async () => {
    const cwd = makeFolder();
    write(cwd, 'models/model.yaml', MODEL);
    for (const model of ['models', './models/model.yaml', path.join(cwd, 'models')]) {
      const { exitCode, stdout, stderr } = await quern(['semantic', 'metadata', model], { cwd });
      expect([exitCode, stderr]).toEqual([0, '']);
      const body = JSON.parse(stdout);
      expect(Object.keys(body)).toEqual(['version', 'layers']);
      const [orders] = body.layers[0].domains[0].entities;
      expect(Object.keys(orders)).toEqual(['name', 'table_name', 'dimensions', 'measures', 'relationships']);
      expect(orders.dimensions[2]).toEqual({
        name: 'day_month',
        data_type: 'DATE',
        hidden: false,
        expr: "CAST(DATE_TRUNC('month', day) AS DATE)",
      });
      expect(stdout).not.toContain('x_');
    }
  });

  it('shows the errors of an invalid model', async () => {
    const cwd = makeFolder();
    write(cwd, 'model.yaml', MODEL.replace('to_entity: customers', 'to_entity: custmers'));
    const { exitCode, stdout, stderr } = await quern(['semantic', 'metadata', 'model.yaml'], { cwd });
    expect([exitCode, stdout]).toEqual([3, '']);
    expect(stderr).toContain(
      'model.yaml:18:62: error: there is no entity `custmers`; did you mean `customers`?',
    );
  });

  it.each([
    ['./nothing', 1, 'error: cannot read ./nothing: there is no such file or folder\n'],
    ['modle.yaml', 1, 'error: cannot read modle.yaml: there is no such file or folder\n'],
    ['modle.yml', 1, 'error: cannot read modle.yml: there is no such file or folder\n'],
    ['modle.json', 1, 'error: cannot read modle.json: there is no such file or folder\n'],
    ['./empty', 2, 'error: no model files found in ./empty: their names end in .yaml, .yml or .json\n'],
    ['nothing', 2, 'error: no home here: run `quern init`\n'],
  ])('reports that no model is at %s', async (model, code, message) => {
    const cwd = makeFolder();
    mkdirSync(path.join(cwd, 'empty'));
    const { exitCode, stderr } = await quern(['semantic', 'metadata', model], { cwd });
    expect([exitCode, stderr]).toEqual([code, message]);
  });
});

describe('quern semantic codegen', () => {
  it('prints SQL that runs', async () => {
    const cwd = await makeShop();
    const filter = [
      '--filter',
      'orders.status equals a\\|b|c',
      '--filter',
      'orders.day IN_DATE_RANGE 2026-01-01|2026-01-31',
    ];
    const more = ['--order', 'orders.revenue:DESC', '--limit', '5', '--offset', '0'];
    const asked = await quern(['semantic', 'codegen', '--model', 'model.yaml', ...ASK, ...filter, ...more], {
      cwd,
    });
    expect([asked.exitCode, asked.stderr]).toEqual([0, '']);
    const ran = await quern(['sql', '-'], { cwd, input: asked.stdout });
    expect(ran.stdout).toBe('region,revenue\nnorth,2.5\n');
  });

  it('reads the semantic query from a file or standard input', async () => {
    const cwd = makeFolder();
    write(cwd, 'model.yaml', MODEL);
    const query = JSON.stringify({ measures: [{ entity: 'orders', field: 'revenue', alias: 'Umsatz "€"' }] });
    write(cwd, 'question.json', query);
    const ask = (file: string) =>
      quern(['semantic', 'codegen', file, '--model', 'model.yaml'], { cwd, input: query });
    const [fromFile, fromInput] = [await ask('question.json'), await ask('-')];
    expect(fromFile.stdout).toContain('AS "Umsatz ""€"""');
    expect(fromInput.stdout).toBe(fromFile.stdout);
  });

  it('explains a semantic query', async () => {
    const cwd = makeFolder();
    write(cwd, 'model.yaml', MODEL);
    const ask = ['--dimensions', 'orders.status', '--measures', 'customers.customers'];
    const args = ['semantic', 'codegen', '--model', 'model.yaml', ...ask];
    const plain = await quern(args, { cwd });
    expect(plain.stderr).toMatch(/^warning: Groups of orders.status overlap: .*\n$/);
    const { stdout, stderr } = await quern([...args, '--explain'], { cwd });
    const { sql, paths, warnings, plan } = JSON.parse(stdout);
    expect([`${sql}\n`, stderr]).toEqual([plain.stdout, '']);
    expect([paths.length, warnings.length, plan.legs.length]).toEqual([1, 1, 1]);
    const strict = await quern([...args, '--strict'], { cwd });
    expect([strict.exitCode, strict.stdout]).toEqual([1, '']);
  });

  it.each([
    [[], 2, 'use --dimensions and --measures, or name a JSON file with the semantic query'],
    [['q.json', ...ASK], 2, 'the semantic query is in q.json: omit --dimensions'],
    [['nowhere.json'], 1, 'cannot read nowhere.json: there is no such file'],
    [['model.yaml'], 2, 'model.yaml is not JSON'],
    [['--dimensions', 'status'], 2, '--dimensions status: expected `entity.field`'],
    [['--dimensions', 'orders.'], 2, '--dimensions orders.: expected `entity.field`'],
    [[...ASK, '--filter', 'orders.status'], 2, '--filter orders.status: expected'],
    [[...ASK, '--offset', '1'], 2, '--offset requires --limit'],
    [[...ASK, '--limit', '-1'], 2, 'whole number from 0'],
    [[...ASK, '--limit', '0'], 1, 'Fetch must be greater than 0'],
    [[...ASK, '--filter', 'orders.status LIKE x'], 1, 'Invalid operator type: LIKE'],
    [[...ASK, '--filter', 'orders.status EQUALS'], 1, 'Operator EQUALS takes one value or more'],
    [[...ASK, '--filter', 'orders.day IS_NULL x'], 1, 'Operator IS_NULL takes no value'],
    [['--dimensions', 'order.status'], 1, 'Entity not found: order'],
    [['--dimensions', 'orders.staus'], 1, 'Field not found: staus in entity orders'],
    [[...ASK, '--connection', 'x'], 2, 'choose one of --model and --connection'],
  ])('refuses %j', async (args, code, message) => {
    const cwd = makeFolder();
    write(cwd, 'model.yaml', MODEL);
    write(cwd, 'q.json', '{}');
    const { exitCode, stdout, stderr } = await quern(
      ['semantic', 'codegen', '--model', 'model.yaml', ...args],
      { cwd },
    );
    expect([exitCode, stdout]).toEqual([code, '']);
    expect(stderr).toContain(message);
  });

  it('prints the SQL of every platform', async () => {
    const cwd = await makeHome();
    const asked = [
      '--filter',
      'customers.region CONTAINS x',
      '--order',
      'orders.revenue:desc',
      '--limit',
      '3',
    ];
    const ask = async (platform: string) => {
      write(cwd, `${platform}.yaml`, MODEL.replace('duckdb', platform));
      const args = ['semantic', 'codegen', '--model', `${platform}.yaml`, ...ASK, ...asked];
      const { exitCode, stdout, stderr } = await quern(args, { cwd });
      return [platform, exitCode, stderr, stdout.match(MARKS[platform]!)?.[0]];
    };
    for (const platform of Object.keys(MARKS)) {
      expect(await ask(platform)).toEqual([platform, 0, '', expect.any(String)]);
    }
  });

  it('prints the SQL of a connection that only compiles', async () => {
    const cwd = await makeHome();
    write(cwd, 'model.yaml', MODEL.replace('duckdb', 'snowflake'));
    const add = ['connection', 'create', 'flakes', '--kind', 'semantic', '--set', 'model=model.yaml'];
    expect((await quern(add, { cwd })).exitCode).toBe(0);
    const { stdout } = await quern(['semantic', 'codegen', '--connection', 'flakes', ...ASK], { cwd });
    expect(stdout).toContain('LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id');
  });
});

describe('quern semantic check', () => {
  it('tests that expressions bind, keys are unique and joins are as declared', async () => {
    const cwd = await makeShop();
    const check = (...more: string[]) =>
      quern(['semantic', 'check', 'model.yaml', '--connection', 'duckdb', ...more], { cwd });
    expect(await check()).toMatchObject({
      exitCode: 0,
      stdout: '',
      stderr: '1 file: 0 errors, 0 warnings; 5 tests, 0 failed\n',
    });
    await quern(['sql', 'INSERT INTO customers SELECT 1, NULL; INSERT INTO orders FROM orders'], { cwd });
    const wrong = MODEL.replace('expr: day', 'expr: dya').replace("status <> 'x'", "stat <> 'x'");
    write(cwd, 'model.yaml', wrong.replace('SUM(amount) / COUNT(*)', 'SUM(amout) / COUNT(*)'));
    const { exitCode, stdout } = await check('--json');
    expect(exitCode).toBe(1);
    const tests: { name: string; message: string | null; line?: number; column?: number }[] =
      JSON.parse(stdout).tests;
    const failed = tests
      .filter(({ message }) => message !== null)
      .map(({ name, message, line, column }) => [name, message!.split('!')[0], line, column]);
    expect(failed).toEqual([
      ['orders.day', 'Binder Error: Referenced column "dya" not found in FROM clause', 13, 45],
      ['orders.revenue', 'Binder Error: Referenced column "stat" not found in FROM clause', 15, 93],
      ['orders.average', 'Binder Error: Referenced column "amout" not found in FROM clause', 16, 78],
      ['orders', 'several rows have the same id, which is declared as their primary key', 10, 22],
      [
        'orders.customer',
        'this is declared as MANY_TO_ONE, but one row of orders has several rows of customers',
        18,
        38,
      ],
    ]);
  });

  it('compares the declared types of fields with those of the database', async () => {
    const cwd = await makeShop();
    const measures = [
      '- { name: latest, data_type: NUMBER, aggregation_type: MAX, expr: day }',
      '- { name: some, data_type: INTEGER, aggregation_type: COUNT, expr: "*", x_filter: amount }',
    ];
    const lines = measures.map((line) => `      ${line}\n`).join('');
    write(cwd, 'model.yaml', MODEL.replace('      relationships:', `${lines}      relationships:`));
    const { exitCode, stdout } = await quern(['semantic', 'check', 'model.yaml', '--connection', 'duckdb'], {
      cwd,
    });
    expect(exitCode).toBe(1);
    expect(stdout.match(/^model.*/gm)).toEqual([
      'model.yaml:17:36: error: this is declared as NUMBER, but in the database it is DATE',
      'model.yaml:18:89: error: a filter must be a condition, for example paid = 1, but in the database this is DECIMAL',
    ]);
  });

  it('tests both sides of a one-to-one, the far side of a one-to-many, and an entity with itself', async () => {
    const cwd = await makeHome();
    const tables =
      'CREATE TABLE a AS FROM (VALUES (1, 1), (2, 1)) t(id, up); CREATE TABLE b AS FROM (VALUES (1), (2), (2)) t(id)';
    await quern(['sql', tables], { cwd });
    const relationship = (name: string, type: string, to: string, expr: string) =>
      `{ name: ${name}, join_type: ${type}, to_entity: ${to}, expr: ${expr} }`;
    const list = [
      relationship('same', 'ONE_TO_ONE', 'b', 'a.id = b.id'),
      relationship('many', 'ONE_TO_MANY', 'b', 'a.up = b.id'),
      relationship('parent', 'MANY_TO_ONE', 'a', 'a.up = parent.id'),
      relationship('twin', 'ONE_TO_ONE', 'a', 'a.up = twin.up'),
    ];
    const entities = `- { name: a, table_name: a, relationships: [${list.join(', ')}] }\n    - { name: b, query: SELECT * FROM b }`;
    write(cwd, 'm.yaml', `${MODEL.split('    - name: orders')[0]}    ${entities}\n`);
    const { stdout, stderr } = await quern(
      ['semantic', 'check', 'm.yaml', '--connection', 'duckdb', '--json'],
      { cwd },
    );
    expect(stderr).toContain('8 tests, 4 failed');
    const tests: { name: string; message: string | null }[] = JSON.parse(stdout).tests;
    expect(tests.map(({ name, message }) => [name, /one row of .*/.exec(message ?? '')?.[0]])).toEqual([
      ['a', undefined],
      ['b', undefined],
      ['a.same', 'one row of a has several rows of b'],
      ['a.same', undefined],
      ['a.many', 'one row of b has several rows of a'],
      ['a.parent', undefined],
      ['a.twin', 'one row of a has several rows of a'],
      ['a.twin', 'one row of a has several rows of a'],
    ]);
  });

  it('reports what prevents a test', async () => {
    const cwd = await makeShop();
    const { exitCode, stderr } = await quern(['semantic', 'check', 'model.yaml', '--connection', 'nope'], {
      cwd,
    });
    expect([exitCode, stderr]).toEqual([1, 'error: Connection not found: nope\n']);
  });
});

describe('semantic connections', () => {
  it('are models with a name', async () => {
    const cwd = await makeShop();
    const add = (...set: string[]) =>
      quern(
        [
          'connections',
          'add',
          'sales',
          '--kind',
          'semantic',
          '--replace',
          ...set.flatMap((one) => ['--set', one]),
        ],
        { cwd },
      );
    expect((await add('model=model.yaml', 'connection=duckdb')).exitCode).toBe(0);
    const sub = path.join(cwd, 'sub');
    mkdirSync(sub);
    const asked = await quern(['semantic', 'codegen', ...ASK], { cwd: sub });
    expect([asked.exitCode, asked.stderr]).toEqual([0, '']);
    expect((await quern(['semantic', 'check', 'sales'], { cwd: sub })).stderr).toContain('5 tests, 0 failed');
    const statement = 'SELECT "customers.region", SUM(revenue) AS revenue FROM orders';
    const run = await quern(['sql', statement, '--connection', 'sales', '--format', 'csv'], { cwd });
    expect([run.exitCode, run.stdout, run.stderr]).toEqual([0, 'customers.region,revenue\nnorth,2.5\n', '']);
    const printed = await quern(['semantic', 'sql', statement, '--model', 'model.yaml'], { cwd });
    expect([printed.exitCode, printed.stderr]).toEqual([0, '']);
    const same = await quern(['semantic', 'sql', '-', '--connection', 'sales', '--explain'], {
      cwd,
      input: `${statement};\nSELECT status FROM orders`,
    });
    const { statements } = JSON.parse(same.stdout);
    expect(statements.map(({ sql }: { sql: string }) => `${sql}\n`)[0]).toBe(printed.stdout);
    expect(statements[1].plans[0].legs).toHaveLength(1);
    const refused = await quern(['semantic', 'sql', 'DROP TABLE orders', '--model', 'model.yaml'], { cwd });
    expect([refused.exitCode, refused.stdout]).toEqual([3, '']);
    expect(refused.stderr).toContain('sql:1:1: error: DROP is not supported');
    const wrong = await quern(['sql', 'SELECT rgion FROM customers', '--connection', 'sales'], { cwd });
    expect(wrong.exitCode).toBe(3);
    expect(wrong.stderr).toContain('sql:1:8: error: there is no column `rgion`: did you mean `region`?');
    expect(wrong.stderr).toContain('  |        ^~~~~');
    await add('model=model.yaml', 'strict=true');
    const alone = await quern(['sql', 'SELECT 1', '--connection', 'sales'], { cwd });
    expect([alone.exitCode, alone.stderr]).toEqual([1, 'error: Connection sales only compiles\n']);
    const finer = ['--dimensions', 'orders.status', '--measures', 'customers.customers'];
    expect((await quern(['semantic', 'codegen', ...finer], { cwd })).exitCode).toBe(1);
    expect((await add('model=model.yaml', 'connection=sales')).stderr).toContain(
      'must not be a semantic connection',
    );
    expect((await add('model=model.yaml', 'connection=nope')).stderr).toContain('Connection not found: nope');
    expect((await add('connection=duckdb')).stderr).toContain('Option required for semantic: model');
  });

  it('may have their models in the catalog: a file, a folder, a project', async () => {
    const cwd = await makeShop();
    const run = async (...args: string[]) =>
      expect((await quern(args, { cwd })).stderr).not.toContain('error');
    write(cwd, 'project.toml', '[general]\nname = "shop"\n[semantic.all]\npath = "models/all"\n');
    await run('catalog', 'mkdir', '-p', '@Shared/shop/models/all', '--project');
    await run('catalog', 'put', 'model.yaml', '@Shared/shop/models/all/model.yaml');
    await run('catalog', 'put', 'project.toml', '@Shared/shop/project.toml');
    const paths = [
      '@Shared/shop/models/all/model.yaml',
      '@Shared/shop/models',
      '@Shared/shop',
      '@Shared/shop/',
    ];
    for (const [at, model] of paths.entries()) {
      await run('connection', 'create', `c${at}`, '--kind', 'semantic', '--set', `model=${model}`);
      const { stdout, stderr } = await quern(['semantic', 'metadata', `c${at}`], { cwd });
      expect([JSON.parse(stdout).layers[0].name, stderr]).toEqual(['shop', '']);
    }
    const several = await quern(['semantic', 'codegen', ...ASK], { cwd });
    expect([several.exitCode, several.stderr]).toEqual([
      1,
      'error: No semantic model found for connection, name one of c0, c1, c2, c3\n',
    ]);
  });

  it('are refused without a model, and to users without the right', async () => {
    const cwd = await makeShop();
    const add = (name: string, model: string) =>
      quern(['connection', 'create', name, '--kind', 'semantic', '--set', `model=${model}`], { cwd });
    await add('gone', 'gone.yaml');
    await add('far', '@Shared/gone');
    await add('sales', 'model.yaml');
    await quern(['user', 'create', 'eva', '--role', 'EDITOR'], { cwd });
    const ask = (name: string, ...more: string[]) => quern(['semantic', 'metadata', name, ...more], { cwd });
    expect((await ask('gone')).stderr).toMatch(
      /^error: No semantic model found for connection, cannot read \S*gone\.yaml: there is no such file or folder/,
    );
    expect((await ask('far')).stderr).toMatch(
      /^error: No semantic model found for connection, Path not found/,
    );
    expect((await ask('duckdb')).stderr).toBe('error: No semantic model found for connection\n');
    expect((await ask('salse')).stderr).toBe(
      'error: Connection not found: salse\nhint: did you mean `sales`?\n',
    );
    const other = await ask('sales', '--as', 'eva');
    expect([other.exitCode, other.stderr]).toEqual([
      4,
      "error: You don't have permission to access this connection\n",
    ]);
    await quern(['grant', 'add', 'user:eva', 'use', 'connection:sales'], { cwd });
    expect((await ask('sales', '--as', 'eva')).exitCode).toBe(0);
    const shown = await quern(['connection', 'show', 'sales', '--as', 'eva'], { cwd });
    expect(shown.stdout).not.toContain(cwd);
  });

  it('match the platform of their connection', async () => {
    const cwd = await makeShop();
    write(cwd, 'model.yaml', MODEL.replace('duckdb', 'mysql'));
    const args = ['--kind', 'semantic', '--set', 'model=model.yaml', '--set', 'connection=duckdb'];
    await quern(['connection', 'create', 'sales', ...args], { cwd });
    const { exitCode, stderr } = await quern(['semantic', 'metadata', 'sales'], { cwd });
    expect([exitCode, stderr]).toEqual([
      1,
      'error: Connection sales: the layer shop is for mysql, but duckdb is duckdb\n',
    ]);
  });
});
