import { createHash, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Client, createClient, expectRefusal } from '../../support/http.ts';
import { createOrderTables, ORDERS_MODEL } from '../../support/models.ts';
import { createToken, runQuern, shareServer } from '../../support/server.ts';
import { eventually } from '../../support/waiting.ts';
import { rowsOf, runBlock, runScript, runSql, storeProject, storeScript } from './executing.ts';
import { covers } from './rows.ts';

const shared = shareServer();

const MANIFEST = '[general]\nname = "acme.io/shop"\nversion = "1.0.0"\n';
const BLOCKS = `#+import "std/sql"
#+import "acme.io/shop/words"

#+src sql Revenue(status, regions = ["north", "south"])
#+begin
  SELECT region, revenue FROM orders, customers
  WHERE status = {{ sql.Literal(status) }}
    AND region IN (#+for one : regions separator ", " do {{ sql.Literal(one) }} #+end)
  ORDER BY revenue {{ words.Down() }}
#+end

#+src sql Regions()
#+meta { :publication { :type "table", :name "$target" } }
#+begin
  SELECT region, revenue FROM orders, customers
#+end

#+src sql Look(): void
#+begin
  SELECT status FROM orders;
  SELECT region FROM customers
#+end

#+src sql Clear(): void
#+begin
  SELECT status FROM orders;
  DELETE FROM orders
#+end

#+test sql NothingIsFree()
#+begin SELECT status FROM orders GROUP BY status HAVING SUM(revenue) = 0 #+end

#+test sql NothingIsOpen()
#+begin SELECT status, revenue FROM orders WHERE status LIKE '%open' #+end

#+test sql Broken()
#+begin
  SELECT statu FROM orders
#+end
`;
const connection = { name: 'shop' };
const on = { connection };
const PROJECT = '@Shared/shop';

/** Stores a script of the project, and returns its path. */
async function storeInProject(content: string): Promise<string> {
  return shared.admin.make('assets', `${PROJECT}/blocks/${randomUUID()}`, { content });
}

/** The names of the tables of the database. */
async function listTables(): Promise<unknown> {
  return rowsOf(await runSql(shared.admin, 'SELECT table_name FROM information_schema.tables ORDER BY 1'));
}

const TESTS = (answer: Answer) =>
  (answer.body as { tests: { test_name: string; status: string; message: string }[] }).tests.map(
    ({ test_name, status, message }) => [test_name, status, message],
  );

beforeAll(async () => {
  const { admin, server } = shared;
  await runQuern(server.cwd, ['sql', '-'], createOrderTables("it's $open"));
  await admin.make('assets', '@Shared/model.yaml', { content: ORDERS_MODEL });
  await admin.send('POST', '/manage/connections', {
    body: { name: 'shop', kind: 'semantic', options: { model: '@Shared/model.yaml', connection: 'duckdb' } },
  });
  await storeProject(admin, PROJECT, { 'project.toml': MANIFEST });
  await storeProject(admin, `${PROJECT}/words`, { words: '#+macro Down() #+begin DESC #+end' });
  await storeProject(admin, `${PROJECT}/blocks`, { blocks: BLOCKS });
});

describe('on a semantic connection', () => {
  it(covers('semantic scripts'), async () => {
    const { admin } = shared;
    const script = await storeScript(
      admin,
      "SELECT region, revenue FROM orders, customers WHERE status = '$status' ORDER BY 1; SELECT status FROM orders",
    );
    const params = { status: 'paid' };
    expect(rowsOf(await runScript(admin, script, { ...on, params }))).toEqual([
      ['north', 2.5],
      ['south', 10],
    ]);
    // A value is inserted as on any connection, but nothing runs unless the whole statement can be read.
    for (const [status, reason] of [
      [
        "x'; DELETE FROM orders; --",
        /:1:\d+: error: the value of `\$status` has a `'`, which ends the string/,
      ],
      ["x'; DROP TABLE orders; SELECT 'a", /:1:\d+: error: DROP is not supported/],
    ] as const) {
      const refused = await runScript(admin, script, { ...on, params: { status } });
      expectRefusal(refused, 422, expect.stringMatching(reason));
    }
    expect(rowsOf(await runSql(admin, 'SELECT count(*) FROM orders'))).toEqual([[3]]);
    const folder = `${PROJECT}/blocks`;
    const run = (args: object) => runBlock(admin, folder, 'Revenue', { ...on, args });
    expect(rowsOf(await run({ status: 'paid' }))).toEqual([
      ['south', 10],
      ['north', 2.5],
    ]);
    // A value is data: neither its quote nor a parameter inside it is read.
    expect(rowsOf(await run({ status: "it's $open", regions: ['north'] }))).toEqual([['north', 1.25]]);
    expect(rowsOf(await run({ status: "' OR 1=1 --" }))).toEqual([]);
    const alone = await storeInProject('{{ Revenue("paid", regions=["south"]) }};');
    expect(rowsOf(await runScript(admin, alone, on))).toEqual([['south', 10]]);
    const called = await storeInProject(
      'SELECT r.region, r.revenue, SUM(r.revenue) OVER () AS total FROM {{ Revenue("paid") }} AS r WHERE r.revenue < 20 ORDER BY 2',
    );
    expect(rowsOf(await runScript(admin, called, on))).toEqual([
      ['north', 2.5, 12.5],
      ['south', 10, 12.5],
    ]);
    for (const sql of ['SHOW ENTITIES', 'EXPLAIN SELECT region FROM {{ Revenue("paid") }} AS r']) {
      expect((await runScript(admin, await storeInProject(sql), on)).status).toBe(200);
    }
    const loop = await storeInProject(
      `#+import "std/sql"
SELECT region #+for row : Revenue("paid") do , MAX(CASE WHEN status = {{ sql.Literal(row.region) }} THEN 1 ELSE 0 END) AS {{ sql.Identifier(row.region) }} #+end FROM customers, orders ORDER BY 1`,
    );
    const looped = await runScript(admin, loop, on);
    expect([looped.status, looped.text]).toEqual([200, expect.stringContaining('"name":"south"')]);
    const overridden = { connection: { name: 'shop', overrides: { schema: 'main' } } };
    expectRefusal(await runScript(admin, script, overridden), 400, 'Override not allowed: schema');
  });

  it(covers('semantic scripts'), async () => {
    const { admin } = shared;
    const files = [
      { path: 'project.toml', content: MANIFEST },
      { path: 'words/words.sql', content: '#+macro Down() #+begin DESC #+end' },
      { path: 'blocks/blocks.sql', content: BLOCKS },
      { path: 'top.sql', content: "SELECT region FROM customers WHERE region > '$least'" },
    ];
    const send = (body: object) => admin.send('POST', '/exec/bundle', { body: { files, ...on, ...body } });
    expect(rowsOf(await send({ what: 'run', path: 'top.sql', params: { least: 'o' } }))).toEqual([['south']]);
    const block = { what: 'run', package: 'blocks', block: 'Revenue', args: { status: 'paid' } };
    expect(rowsOf(await send(block))).toHaveLength(2);
    const tests = await send({ what: 'tests', include: ['blocks/Nothing*'], params: { target: 't' } });
    expect(TESTS(tests).map(([name, status]) => [name, status])).toEqual([
      ['NothingIsFree', 'PASSED'],
      ['NothingIsOpen', 'FAILED'],
    ]);
    const compiled = await send({ what: 'compile', path: 'top.sql', params: { least: 'o' } });
    const { data } = compiled.body as { data: { lines: { text: string; file: string; line: number }[] }[] };
    const [step, ...others] = data;
    expect([others, step?.lines[0]]).toEqual([
      [],
      { text: expect.stringMatching(/^SELECT/), file: 'top.sql', line: 1, block: '' },
    ]);
    const compiledSql = step!.lines.map(({ text }) => text).join('\n');
    expect(rowsOf(await runSql(admin, compiledSql))).toEqual([['south']]);
    expect((await send({ what: 'check', params: { least: 'o', target: 't' } })).body).toMatchObject({
      data: [
        { code: 'sql-syntax', file: 'blocks/blocks.sql', frame: expect.stringContaining('DELETE FROM') },
      ],
    });
  });

  it(covers('semantic scripts'), async () => {
    const { admin } = shared;
    const script = await storeScript(admin, 'SELECT region FROM customers ORDER BY region');
    const started = await admin.send('POST', '/exec/script', {
      headers: { prefer: 'respond-async', accept: 'text/csv' },
      body: { path: script, connection },
    });
    expect(started.status, started.text).toBe(202);
    const at = started.headers.location!.replace('/api/v1', '');
    await eventually(async () => {
      expect((await admin.send('GET', at)).body).toMatchObject({ state: 'done', connection: 'shop' });
    });
    expect((await admin.send('GET', `${at}/result`)).text).toBe('region\nnorth\nsouth\n');
  });

  it(covers('semantic tests'), async () => {
    const { admin } = shared;
    const run = (name: string) => runBlock(admin, `${PROJECT}/blocks`, name, on);
    expect(TESTS(await run('NothingIsFree'))).toEqual([['NothingIsFree', 'PASSED', 'Test passed']]);
    const found = 'Test returned a non-empty recordset (1 row)';
    expect(TESTS(await run('NothingIsOpen'))).toEqual([['NothingIsOpen', 'FAILED', found]]);
    const unknown = 'there is no column `statu`: did you mean `status`?';
    expect(TESTS(await run('Broken'))).toEqual([['Broken', 'FAILED', unknown]]);
    const all = await storeInProject(
      '#+import "std/test"\n{{ test.Run(tests=[NothingIsFree, NothingIsOpen], onFailure=test.Continue) }}',
    );
    expect(TESTS(await runScript(admin, all, on)).map(([, status]) => status)).toEqual(['PASSED', 'FAILED']);
  });

  it(covers('semantic places'), async () => {
    const { admin } = shared;
    const text =
      "SELECT region FROM customers;\n\nSELECT '$é $status', region,\n  revenu\nFROM orders, customers\n";
    const broken = await storeScript(admin, text);
    const params = { status: 'a value that is longer than its name' };
    expectRefusal(
      await runScript(admin, broken, { ...on, params }),
      422,
      `${broken}:4:3: error: there is no column \`revenu\`: did you mean \`revenue\`?\n` +
        "2 |\n3 | SELECT '$é $status', region,\n4 |   revenu\n  |   ^~~~~~",
    );
    const missing = `${PROJECT}/blocks/blocks`;
    const block = await runBlock(admin, `${PROJECT}/blocks`, 'Clear', on);
    expectRefusal(block, 422, expect.stringContaining(`${missing}:27:3: error: DELETE is not supported`));
    const called = await storeInProject('SELECT region\nFROM {{ Regions() }}');
    const published = await runScript(admin, called, { ...on, params: { target: 'made' } });
    expectRefusal(published, 422, expect.stringContaining(`${called}:2:6: error: the block \`Regions\``));
    expectRefusal(published, 422, expect.stringContaining('which is not an entity of the model'));
    const outer = await storeInProject('SELECT region,\n  revenu FROM {{ Revenue("paid") }} AS r');
    const unknown = await runScript(admin, outer, on);
    expectRefusal(
      unknown,
      422,
      expect.stringContaining(`${outer}:2:3: error: there is no column \`revenu\``),
    );
    const two = await storeInProject(
      '#+src sql Two()\n#+begin SELECT status FROM orders; SELECT region FROM customers #+end\nSELECT region FROM {{ Two() }} AS t',
    );
    const several = await runScript(admin, two, on);
    expectRefusal(several, 422, expect.stringContaining(`${two}:2:36: error: a semantic connection has no`));
    const unset = await storeScript(admin, 'SELECT region FROM customers WHERE region = $region');
    const refused = await runScript(admin, unset, on);
    expectRefusal(refused, 422, expect.stringContaining(`${unset}:1:45: error:`));
  });

  it(covers('semantic reads'), async () => {
    const { admin } = shared;
    const before = await listTables();
    const publish = '#+import "std/publication"\n{{ publication.Run(blocks=[Regions]) }};\n';
    const params = { target: 'never_made' };
    for (const [last, message] of [
      ['DELETE FROM orders', 'DELETE is not supported'],
      ['CREATE TABLE t AS SELECT region FROM customers', 'CREATE is not supported'],
      ['{{ Clear() }};', 'DELETE is not supported'],
      ['SELECT nothing FROM orders', 'there is no column `nothing`'],
      ["COPY orders TO 'x.csv'", 'COPY is not supported'],
      ['SELECT status FROM orders; SET threads = 1', 'SET is not supported'],
    ] as const) {
      const script = await storeInProject(`${publish}${last}`);
      const refused = await runScript(admin, script, { ...on, params });
      expectRefusal(refused, 422, expect.stringContaining(message));
    }
    expect(await listTables()).toEqual(before);
    expect(rowsOf(await runSql(admin, 'SELECT count(*) FROM orders'))).toEqual([[3]]);
  });

  it(covers('semantic publications'), async () => {
    const { admin } = shared;
    const params = { target: 'by_region' };
    const script = await storeInProject(
      '#+import "std/publication"\n{{ Look() }};\n{{ publication.Run(blocks=[Regions]) }};\nSELECT status FROM orders WHERE status = \'paid\'',
    );
    for (let round = 0; round < 2; round += 1) {
      expect(rowsOf(await runScript(admin, script, { ...on, params }))).toEqual([['paid']]);
    }
    const rows = 'SELECT region, revenue FROM by_region ORDER BY region';
    expect(rowsOf(await runSql(admin, rows))).toEqual([
      ['north', 3.75],
      ['south', 10],
    ]);
    const look = await runBlock(admin, `${PROJECT}/blocks`, 'Look', on);
    expect([look.status, (look.body as { result: unknown }).result]).toEqual([
      200,
      { columns: [], data: [] },
    ]);
    const made = await runBlock(admin, `${PROJECT}/blocks`, 'Regions', { ...on, params });
    expect(rowsOf(made)).toHaveLength(2);
  });

  it(covers('semantic rights'), async () => {
    const { admin, server } = shared;
    const run = (line: string) => runQuern(server.cwd, line);
    await run('user create guest');
    const guest = createClient(server.url, await createToken(server.cwd, 'guest'));
    await run(`grant add user:guest view ${PROJECT}`);
    const script = await storeInProject('SELECT region FROM customers ORDER BY 1');
    const files = [{ path: 'a.sql', content: 'SELECT region FROM customers' }];
    const asks: readonly ((client: Client) => Promise<Answer>)[] = [
      (client) => runScript(client, script, on),
      (client) => runBlock(client, `${PROJECT}/blocks`, 'Look', on),
      (client) => runBlock(client, `${PROJECT}/blocks`, 'NothingIsFree', on),
      (client) => runSql(client, 'SELECT region FROM customers', on),
      (client) =>
        client.send('POST', '/exec/bundle', { body: { what: 'run', path: 'a.sql', files, connection } }),
    ];
    const statuses = async () => {
      const found = [];
      for (const ask of asks) found.push((await ask(guest)).status);
      return found;
    };
    await run('grant rm everyone connection:duckdb');
    const denied = asks.map(() => 403);
    expect(await statuses()).toEqual(denied);
    await run('grant add user:guest read connection:shop');
    expect(await statuses()).toEqual(asks.map(() => 200));
    await run('grant rm user:guest connection:shop');
    expect(await statuses()).toEqual(denied);
    expect((await asks[0]!(admin)).status).toBe(200);
  });

  it(covers('semantic log'), async () => {
    const { admin } = shared;
    const sql = `SELECT region FROM customers WHERE region <> '${randomUUID()}'`;
    expect(rowsOf(await runSql(admin, sql, on))).toHaveLength(2);
    const hash = createHash('sha256').update(sql).digest('hex');
    await eventually(async () => {
      const { body } = await admin.send('GET', '/manage/queries?connection=shop');
      expect((body as { data: unknown }).data).toContainEqual(
        expect.objectContaining({ name: 'sql', connection: 'shop', hash, rows: 2, outcome: 'done' }),
      );
    });
  });
});
