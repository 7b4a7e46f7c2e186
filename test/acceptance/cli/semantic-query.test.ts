import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modelWith } from '../../support/models.ts';
import { quern } from '../../support/quern.ts';
import { runQuern, serve } from '../../support/server.ts';

const MODEL = modelWith(
  `    - name: orders
      table_name: orders
      x_primary_key: [id]
      dimensions:
      - { name: status, data_type: TEXT, expr: status }
      - { name: day, data_type: DATE, expr: day, x_grains: [month] }
      measures:
      - { name: revenue, data_type: DECIMAL, aggregation_type: SUM, expr: amount }
      relationships:
      - { name: customer, join_type: MANY_TO_ONE, to_entity: customers, expr: orders.customer_id = customers.id }
    - name: customers
      label: Who buys
      table_name: customers
      dimensions: [{ name: region, data_type: TEXT, expr: region }]
      measures: [{ name: customers, data_type: INTEGER, aggregation_type: COUNT, expr: "*" }]
`,
  { layer: 'shop', domain: 'sales' },
);
const TABLES = `
CREATE TABLE orders AS SELECT * FROM (VALUES
  (1, 1, 'paid', 2.50, current_date), (2, 1, 'o$pen', 1.25, current_date - 1), (3, 2, 'a|b', 10, DATE '2020-02-29'))
  AS t(id, customer_id, status, amount, day);
CREATE TABLE customers AS SELECT * FROM (VALUES (1, 'north'), (2, 'south')) AS t(id, region);
`;
const ASK = ['--dimensions', 'customers.region', '--measures', 'orders.revenue'];
const ORDER = ['--order', 'customers.region'];
const ANSWER = 'region,revenue\nnorth,3.75\nsouth,10.00\n';

/** A home with the data of the model, for all tests here; none of them changes it for others. */
let cwd = '';

const run = (...args: string[]) => quern(args, { cwd });
const ask = (...args: string[]) => run('semantic', 'query', ...args);
const explore = (...args: string[]) => run('semantic', 'explore', ...args);
const add = (name: string, ...set: string[]) =>
  run('connection', 'create', name, '--kind', 'semantic', ...set.flatMap((one) => ['--set', one]));

beforeAll(async () => {
  cwd = mkdtempSync(path.join(tmpdir(), 'quern-test-'));
  await runQuern(cwd, 'init --empty');
  writeFileSync(path.join(cwd, 'model.yaml'), MODEL);
  await runQuern(cwd, 'sql -', TABLES);
  await add('sales', 'model=model.yaml', 'connection=duckdb');
  await add('bare', 'model=model.yaml');
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

describe('quern semantic query', () => {
  it('orders by several fields, separated by commas or each in its own option', async () => {
    const groups = ['--model', 'model.yaml', '--dimensions', 'orders.status,customers.region'];
    const repeated = await ask(...groups, '--order', 'customers.region:desc', '--order', 'orders.status');
    expect([repeated.exitCode, repeated.stderr]).toEqual([0, '']);
    const listed = await ask(...groups, '--order', 'customers.region:desc, orders.status');
    expect([listed.exitCode, listed.stdout]).toEqual([0, repeated.stdout]);
    const turned = await ask(...groups, '--order', 'customers.region,orders.status:desc');
    expect(turned.stdout).not.toBe(listed.stdout);
  });

  it('explains in its help the notation of several values and fields', async () => {
    const { stdout } = await ask('--help');
    const text = stdout.replaceAll(/\s+/g, ' ');
    expect(text).toContain('`|` separates values, `\\|` is a literal bar');
    expect(text).toContain('entity.field or entity.field:desc, separated by commas');
  });

  it('answers in every format, on the connection behind a semantic one', async () => {
    const query = ['--connection', 'sales', ...ASK, ...ORDER];
    const csv = await ask(...query);
    expect([csv.exitCode, csv.stdout, csv.stderr]).toEqual([0, ANSWER, '']);
    const { stdout } = await ask(...query, '--format', 'json');
    expect(JSON.parse(stdout).result).toEqual({
      columns: [
        { name: 'region', type: 'STRING' },
        { name: 'revenue', type: 'DECIMAL' },
      ],
      data: [
        ['north', 3.75],
        ['south', 10],
      ],
    });
    expect((await ask(...query, '--limit', '1', '--offset', '1', '--output', 'one.ndjson')).exitCode).toBe(0);
    expect(readFileSync(path.join(cwd, 'one.ndjson'), 'utf8')).toBe('{"region":"south","revenue":10.00}\n');
    expect((await ask(...query, '--format', 'markdown')).stdout).toContain('| north |');
  });

  it('accepts a semantic query from standard input, and one to a model on disk', async () => {
    const query = { measures: [{ entity: 'orders', field: 'revenue', alias: 'R "€"' }] };
    const given = await quern(['semantic', 'query', '-', '--connection', 'sales'], {
      cwd,
      input: JSON.stringify(query),
    });
    expect([given.exitCode, given.stdout]).toEqual([0, '"R ""€"""\n13.75\n']);
    expect((await ask('--model', 'model.yaml', ...ASK, ...ORDER)).stdout).toBe(ANSWER);
  });

  it('reads words for dates, and values literally, including `$` and `|`', async () => {
    const filtered = async (...filters: string[]) =>
      (
        await ask(
          '--model',
          'model.yaml',
          '--measures',
          'orders.revenue',
          ...filters.flatMap((one) => ['--filter', one]),
        )
      ).stdout;
    expect(await filtered('orders.day EQUALS today|yesterday')).toBe('revenue\n3.75\n');
    expect(await filtered('orders.day IN_DATE_RANGE last 3 days|today')).toBe('revenue\n3.75\n');
    expect(await filtered('orders.day_month BEFORE_DATE last year')).toBe('revenue\n10.00\n');
    expect(await filtered('orders.status EQUALS o$pen')).toBe('revenue\n1.25\n');
    expect(await filtered('orders.status EQUALS a\\|b', 'orders.day LESS_THAN tomorrow')).toBe(
      'revenue\n10.00\n',
    );
  });

  it('prints the statement that would run, and its connection', async () => {
    const { exitCode, stdout, stderr } = await ask('--connection', 'sales', ...ASK, '--sql');
    expect([exitCode, stderr]).toEqual([0, 'nothing was run; this would run on duckdb\n']);
    expect(stdout).toBe((await run('semantic', 'codegen', '--connection', 'sales', ...ASK)).stdout);
  });

  it('warns of groups that overlap, and prints messages of the database', async () => {
    const finer = ['--dimensions', 'orders.status', '--measures', 'customers.customers'];
    const warned = await ask('--model', 'model.yaml', ...finer);
    expect([warned.exitCode, warned.stderr.split(':')[0]]).toEqual([0, 'warning']);
    expect(await ask('--model', 'model.yaml', ...finer, '--strict')).toMatchObject({
      exitCode: 1,
      stdout: '',
    });
    writeFileSync(path.join(cwd, 'wrong.yaml'), MODEL.replace('expr: amount', 'expr: amuont'));
    const { exitCode, stderr } = await ask('--model', 'wrong.yaml', ...ASK);
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(/^question:3:7: error: Binder Error: .*"amuont"/);
  });

  it('runs while a server runs', async () => {
    const server = await serve(cwd);
    try {
      expect(await ask('--connection', 'sales', ...ASK, ...ORDER)).toMatchObject({
        exitCode: 0,
        stdout: ANSWER,
      });
      expect((await ask('--model', 'model.yaml', ...ASK, ...ORDER)).stdout).toBe(ANSWER);
    } finally {
      await server.stop();
    }
  });

  it('needs READ on the semantic connection alone', async () => {
    await runQuern(cwd, 'user create eva --role EDITOR');
    await runQuern(cwd, ['connection', 'create', 'own', '--kind', 'duckdb', '--set', 'file=own.duckdb']);
    await add('own-sales', 'model=model.yaml', 'connection=own');
    await runQuern(cwd, 'sql - --connection own', TABLES);
    const asEva = (command: string) =>
      run('semantic', command, '--connection', 'own-sales', ...ASK, ...ORDER, '--as', 'eva');
    const refusal = "error: You don't have permission to access this connection\n";
    expect(await asEva('query')).toMatchObject({ exitCode: 4, stdout: '', stderr: refusal });
    await runQuern(cwd, 'grant add user:eva read connection:own-sales');
    expect(await asEva('codegen')).toMatchObject({ exitCode: 0 });
    expect(await asEva('query')).toMatchObject({ exitCode: 0, stdout: ANSWER });
    await runQuern(cwd, 'connection rm own --yes');
    const missing = await ask('--connection', 'own-sales', ...ASK);
    expect([missing.exitCode, missing.stderr]).toEqual([1, 'error: Connection not found: own\n']);
    await runQuern(cwd, 'connection rm own-sales --yes');
  });

  it('runs a project on disk on the connection of its environment', async () => {
    const project = (environment: string) =>
      `[general]\nname = "shop"\n[environment]\ndefault = "here"\n[environment.here]\nconnection = { name = "duckdb" }\n` +
      `[environment.there]\nconnection = { name = "there" }\n[semantic.all]\npath = "models"\n${environment}`;
    mkdirSync(path.join(cwd, 'project', 'models'), { recursive: true });
    writeFileSync(path.join(cwd, 'project', 'models', 'm.yaml'), MODEL);
    const write = (environment: string) =>
      writeFileSync(path.join(cwd, 'project', 'project.toml'), project(environment));
    const readOutput = async () => {
      const { exitCode, stderr } = await ask('--model', 'project', ...ASK, '--sql');
      return [exitCode, stderr];
    };
    write('');
    expect(await readOutput()).toEqual([0, 'nothing was run; this would run on duckdb\n']);
    write('environment = "there"');
    expect(await readOutput()).toEqual([1, 'error: Connection not found: there\n']);
    await runQuern(cwd, ['connection', 'create', 'there', '--kind', 'duckdb', '--set', 'file=there.duckdb']);
    expect(await readOutput()).toEqual([0, 'nothing was run; this would run on there\n']);
    writeFileSync(path.join(cwd, 'project', 'models', 'm.yaml'), MODEL.replace('duckdb', 'mysql'));
    expect(await readOutput()).toEqual([
      1,
      'error: project: the layer shop is for mysql, but there is duckdb\n',
    ]);
  });

  it('uses semantic.default_connection if no connection is named', async () => {
    const config = path.join(cwd, '.quern', 'config.toml');
    const asked = async (variable = '') => {
      const env = { QUERN_SEMANTIC_DEFAULT_CONNECTION: variable };
      const { exitCode, stdout, stderr } = await quern(['semantic', 'query', ...ASK, ...ORDER], { cwd, env });
      return [exitCode, stdout === '' ? stderr : stdout];
    };
    expect(await asked()).toEqual([
      1,
      'error: No semantic model found for connection, name one of bare, sales\n',
    ]);
    expect(await asked('sales')).toEqual([0, ANSWER]);
    writeFileSync(config, '[semantic]\ndefault_connection = "sales"\n');
    expect(await asked()).toEqual([0, ANSWER]);
    expect(await asked('bare')).toEqual([1, 'error: Connection bare only compiles\n']);
    writeFileSync(config, '[semantic]\ndefault_connection = "salse"\n');
    expect(await asked()).toEqual([
      1,
      'error: Connection not found, the setting semantic.default_connection names `salse`\n',
    ]);
    writeFileSync(config, '[semantic]\ndefault = "sales"\n');
    const [exitCode, message] = await asked();
    expect(exitCode).toBe(2);
    expect(message).toMatch(/config\.toml:2:\d+: there is no setting `default`/);
    rmSync(config);
  });

  it.each<readonly [args: readonly string[], code: number, message: string]>([
    [['--connection', 'bare', ...ASK], 1, 'Connection bare only compiles'],
    [['--connection', 'duckdb', ...ASK], 1, 'No semantic model found for connection'],
    [['--connection', 'salse', ...ASK], 1, 'Connection not found: salse\nhint: did you mean `sales`?'],
    [['--connection', 'sales', '--model', 'model.yaml', ...ASK], 2, 'choose one of --model and --connection'],
    [['--connection', 'sales', '--layer', 'x', ...ASK], 2, '--layer is for models on disk'],
    [['--model', 'nowhere', ...ASK], 1, 'cannot read nowhere: there is no such file or folder'],
    [['--model', 'model.yaml'], 2, 'use --dimensions and --measures'],
    [['--model', 'model.yaml', ...ASK, '--format', 'xls'], 2, 'unknown format `xls`'],
    [['--model', 'model.yaml', ...ASK, '--output', 'no/such/x.csv'], 2, 'no/such'],
    [['--model', 'model.yaml', ...ASK, '--limit', 'ten'], 2, 'whole number from 0'],
    [['--model', 'model.yaml', ...ASK, '--timeout', '0'], 2, 'whole number from 1'],
    [['--model', 'model.yaml', ...ASK, '--order', 'orders.status'], 1, 'orders.status'],
    [['--model', 'model.yaml', ...ASK, '--order', 'revenue:down'], 2, '--order revenue:down: expected'],
    [['--model', 'model.yaml', ...ASK, '--order', 'orders.revenue,'], 2, '--order : expected `entity.field`'],
    [['--model', 'model.yaml', ...ASK, '--filter', 'orders.day > today'], 1, 'did you mean `GREATER_THAN`?'],
    [
      ['--model', 'model.yaml', ...ASK, '--filter', 'orders.day>today'],
      2,
      'expected "entity.field OPERATOR value"',
    ],
    [['--model', 'model.yaml', '--dimensions', 'customers.regoin'], 1, 'did you mean `region`?'],
  ])('refuses %j', async (args, code, message) => {
    const { exitCode, stdout, stderr } = await ask(...args);
    expect([exitCode, stdout]).toEqual([code, '']);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('bug');
  });
});

describe('quern semantic explore', () => {
  it('shows entities, the fields of one, and the fields that can be combined with a field', async () => {
    const all = await explore('--connection', 'bare');
    expect(all.stdout).toBe(
      'entity     dimensions  measures  related    about\n' +
        'orders     3           1         customers\n' +
        'customers  1           1         orders     Who buys\n',
    );
    const one = await explore('orders', '--model', 'model.yaml');
    expect(one.stdout).toContain('orders.day_month  DATE  month of day\n');
    expect(one.stdout).toContain('orders.customer  customers\n');
    const field = await explore('customers.region', '--model', 'model.yaml');
    expect(field.stdout).toContain('orders: revenue       over customer\n');
    const { stdout } = await explore('customers.customers', '--model', 'model.yaml', '--json');
    expect(JSON.parse(stdout).together).toEqual([
      {
        entity: 'orders',
        fields: ['status', 'day', 'day_month'],
        answer: 'overlapping',
        path: ['orders:customer'],
      },
      { entity: 'customers', fields: ['region'], answer: 'yes', path: [] },
    ]);
  });

  it('shows SQL of several lines as one', async () => {
    const text = MODEL.replace('expr: status }', 'expr: "CASE\\n  WHEN status = 1\\n  THEN 2 END\\n" }');
    expect(text).not.toBe(MODEL);
    writeFileSync(path.join(cwd, 'long.yaml'), text);
    const { stdout } = await explore('orders', '--model', 'long.yaml');
    expect(stdout).toContain('CASE WHEN status = 1 THEN 2 END\n');
    rmSync(path.join(cwd, 'long.yaml'));
  });

  it('suggests similar names', async () => {
    const { exitCode, stderr } = await explore('customer.region', '--model', 'model.yaml');
    expect([exitCode, stderr]).toEqual([1, 'error: Entity not found: customer, did you mean `customers`?\n']);
  });
});
