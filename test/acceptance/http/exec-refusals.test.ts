import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Client, createClient, expectRefusal } from '../../support/http.ts';
import { modelWith } from '../../support/models.ts';
import { createToken, runQuern, serve, shareServer, startServer } from '../../support/server.ts';
import { eventually, waitUntil } from '../../support/waiting.ts';
import {
  BUSY,
  connection,
  listExecutions,
  rowsOf,
  runBlock,
  runScript,
  runSql,
  storeScript,
} from './executing.ts';
import { covers } from './rows.ts';

const shared = shareServer();
let reader: Client;
let outsider: Client;

const MODEL = modelWith(
  `    - name: sold
      table_name: sold
      dimensions: [{ name: kind, data_type: TEXT, expr: kind }]
      measures: [{ name: total, data_type: INTEGER, aggregation_type: SUM, expr: amount }]
`,
  { layer: 'shop', domain: 'sales' },
);
const DENIED = "You don't have permission to perform the request";

beforeAll(async () => {
  const { server } = shared;
  const run = (line: string) => runQuern(server.cwd, line);
  reader = createClient(server.url, await createToken(server.cwd, 'admin', '--read-only'));
  await run('user create outsider');
  outsider = createClient(server.url, await createToken(server.cwd, 'outsider'));
  await run(
    'connection create closed --kind postgresql --set host=127.0.0.1 --set port=1 --set user=u --set database=d',
  );
  await run('grant add user:outsider use connection:closed');
});

describe('a body', () => {
  const ask = (what: string, body: unknown) => shared.admin.send('POST', `/exec/${what}`, { body });

  it(
    covers('sql missing', 'connection missing', 'connection name missing', 'connection not found'),
    async () => {
      for (const body of [{}, { sql: '' }, { sql: null }, { connection }, { sql: '', connection: 7 }]) {
        expectRefusal(await ask('sql', body), 400, 'SQL query is required');
      }
      const sql = 'SELECT 1';
      for (const body of [{ sql }, { sql, connection: null }]) {
        expectRefusal(await ask('sql', body), 400, 'Connection is required');
      }
      for (const given of [{}, { name: '' }, { name: null }, { overrides: { schema: 1 } }]) {
        expectRefusal(await ask('sql', { sql, connection: given }), 400, 'Connection name is required');
      }
      for (const name of [
        'nothing',
        'DuckDB',
        ' duckdb',
        '../x',
        '__proto__',
        'ü\u0000',
        'x'.repeat(2_000),
      ]) {
        expectRefusal(await ask('sql', { sql, connection: { name } }), 404, `Connection not found: ${name}`);
      }
      expectRefusal(await ask('sql', { sql: 1, connection }), 400, 'SQL query must be a string');
      expectRefusal(
        await ask('sql', { sql, connection: { name: 1 } }),
        400,
        'Connection name must be a string',
      );
      // The connection is checked before the statement.
      const nowhere = { sql: 'ATTACH', connection: { name: 'nowhere' } };
      expectRefusal(await ask('sql', nowhere), 404, 'Connection not found: nowhere');
    },
  );

  it(covers('path missing', 'package missing', 'block name missing'), async () => {
    for (const none of [{}, { path: '' }, { path: null, connection }]) {
      expectRefusal(await ask('script', none), 400, 'Path is required');
    }
    for (const none of [{}, { package: '', block_name: 'x' }, { block_name: 'x', connection }]) {
      expectRefusal(await ask('block', none), 400, 'Package is required');
    }
    for (const none of [{ package: '@Shared' }, { package: '@Shared', block_name: '' }]) {
      expectRefusal(await ask('block', none), 400, 'Block name is required');
    }
  });

  it(covers('folder as path'), async () => {
    for (const folder of ['@Shared', '@Personal', '@Project Hub']) {
      expectRefusal(await runScript(shared.admin, folder), 422, 'Path must be an asset');
    }
  });
});

describe('a status', () => {
  it(covers('exec: status 401'), async () => {
    const anonymous = createClient(shared.server.url);
    for (const what of ['script', 'block', 'sql']) {
      const { status, headers } = await anonymous.send('POST', `/exec/${what}`, { body: 'no JSON' });
      expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer']);
    }
  });

  it(covers('exec: status 403'), async () => {
    const script = await storeScript(shared.admin, 'SELECT 1');
    expectRefusal(await runSql(reader, 'SELECT 1'), 403, DENIED);
    expectRefusal(await runScript(reader, script), 403, DENIED);
    expectRefusal(await runBlock(reader, '@Shared', 'x'), 403, DENIED);
    await runQuern(shared.server.cwd, 'connection create own --kind duckdb --set file=:memory:');
    const answer = await runSql(outsider, 'SELECT 1', { connection: { name: 'own' } });
    expectRefusal(answer, 403, "You don't have permission to access this connection");
  });

  it(covers('exec: status 404'), async () => {
    const { admin, server } = shared;
    const script = await storeScript(admin, 'SELECT 1');
    await runQuern(server.cwd, ['grant', 'restrict', script.replace('/script', '')]);
    for (const [client, place] of [
      [outsider, script],
      [admin, '@Shared/nothing'],
      [admin, '/etc/passwd'],
      [admin, '@Shared/../x'],
    ] as const) {
      expectRefusal(await runScript(client, place), 404, `Path not found: ${place}`);
    }
  });

  it(covers('exec: status 422'), async () => {
    const { admin } = shared;
    const wrong = await runSql(admin, 'SELECT 1;\nSELECT nothing');
    expectRefusal(
      wrong,
      422,
      expect.stringMatching(/^sql:2:8: error: Binder Error: [\s\S]*\n2 \| SELECT nothing\n/),
    );
    const script = await storeScript(admin, 'SELECT {{ Nothing() }}');
    expectRefusal(await runScript(admin, script), 422, expect.stringContaining(`${script}:1:`));
  });

  it(covers('exec: status 502'), async () => {
    const answer = await runSql(outsider, 'SELECT 1', { connection: { name: 'closed' } });
    expectRefusal(answer, 502, expect.stringMatching(/./));
  });

  it(covers('semantic sql'), async () => {
    const { admin, server } = shared;
    await runQuern(
      server.cwd,
      'connection create model --kind semantic --set model=@Shared/model.yaml --set connection=duckdb',
    );
    const semantic = { connection: { name: 'model' } };
    const missing = await runSql(admin, 'SELECT 1', semantic);
    expectRefusal(missing, 400, 'No semantic model found for connection');
    await admin.make('assets', '@Shared/model.yaml', { content: MODEL });
    await runSql(
      admin,
      "CREATE TABLE sold AS SELECT * FROM (VALUES ('a', 1), ('a', 2), ('b', 4)) v (kind, amount)",
    );
    const asked =
      'SELECT kind, SUM(total) AS total FROM sold WHERE kind <> $kind ORDER BY 1; DROP TABLE sold';
    const later = await runSql(admin, asked, { ...semantic, params: { kind: "'é'" } });
    expectRefusal(later, 422, expect.stringMatching(/^sql:1:76: error: DROP is not supported: /));
    const [first = ''] = asked.split(';');
    const answer = await runSql(admin, first, { ...semantic, params: { kind: "'b'" } });
    expect([answer.status, rowsOf(answer)]).toEqual([200, [['a', 3]]]);
    for (const [sql, place] of [
      ['SELECT kind, sum(total) FROM sold; DROP TABLE sold', '1:36: error: DROP is not supported'],
      ['SELECT kind FROM sold WHERE total > 1', '1:29: error: measure `total` is not allowed in WHERE'],
      ["SELECT read_csv('/etc/passwd') FROM sold", '1:8: error: there is no portable function `read_csv`'],
      ['SELECT nothing FROM sold', '1:8: error: there is no column `nothing`'],
    ] as const) {
      const refused = await runSql(admin, sql, semantic);
      expectRefusal(refused, 422, expect.stringContaining(`sql:${place}`));
    }
    expect((await runSql(admin, 'SELECT count(*) FROM sold')).status).toBe(200);
    const overridden = { connection: { name: 'model', overrides: { schema: 'x' } } };
    expectRefusal(await runSql(admin, first, overridden), 400, 'Override not allowed: schema');
    expect((await runSql(outsider, first, semantic)).status).toBe(403);
  });
});

describe('a server with small limits', () => {
  it(covers('exec: status 429', 'exec: status 504', 'cancel by id'), async () => {
    const { server, token } = await startServer();
    await server.stop();
    const env = {
      QUERN_EXEC_RUNNING: '1',
      QUERN_EXEC_QUEUED: '2',
      QUERN_EXEC_PER_USER: '1',
      QUERN_EXEC_MEMORY: '25%',
    };
    Object.assign(process.env, env);
    const again = await serve(server.cwd).finally(() => {
      for (const name of Object.keys(env)) delete process.env[name];
    });
    try {
      const tokens = [token];
      for (const name of ['ada', 'bob']) {
        const body = { user_name: name, email: `${name}@example.org` };
        await createClient(again.url, token).send('POST', '/manage/users', { body });
        tokens.push(await createToken(server.cwd, name));
      }
      const [own, ada, bob] = tokens.map((each) => createClient(again.url, each));
      const first = runSql(own!, BUSY);
      await eventually(async () => expect(await listExecutions(own!)).toHaveLength(1));
      const second = runSql(own!, 'SELECT 2');
      await eventually(async () => expect(await listExecutions(own!)).toHaveLength(2));
      const mine = await runSql(own!, 'SELECT 3');
      expectRefusal(mine, 429, expect.stringMatching(/^your share of the queue is full \(.*waiting: 1\)/));
      const third = runSql(ada!, 'SELECT 3');
      await eventually(async () => expect(await listExecutions(own!)).toHaveLength(3));
      const theirs = await runSql(bob!, 'SELECT 4');
      expectRefusal(theirs, 429, expect.stringMatching(/^the queue is full \(executions waiting: 2\)/));
      const later = { headers: { prefer: 'respond-async' } };
      const refused = [mine, theirs, await runSql(own!, 'SELECT 5', {}, later)];
      for (const { status, headers } of refused) {
        expect([status, headers['retry-after']]).toEqual([429, '5']);
      }
      const [running] = await listExecutions(own!);
      expect((await ada!.send('DELETE', `/executions/${running!.id}`)).status).toBe(404);
      expect((await own!.send('DELETE', `/executions/${running!.id}`)).status).toBe(204);
      expectRefusal(await first, 409, 'the execution was cancelled');
      expect(rowsOf(await second)).toEqual([[2]]);
      expect(rowsOf(await third)).toEqual([[3]]);
      const limit = rowsOf(await runSql(own!, "SELECT current_setting('memory_limit')")) as string[][];
      expect(limit[0]![0]).toMatch(/iB$/);
    } finally {
      await again.kill();
    }
    const slow = await serve(server.cwd, ['--exec-timeout', '1']);
    try {
      const client = createClient(slow.url, token);
      const answer = await runSql(client, BUSY);
      expectRefusal(
        answer,
        504,
        'the execution ran past its time limit of 1 s, set by `server.exec_timeout`, and was stopped',
      );
    } finally {
      await slow.kill();
    }
  });
});

it(covers('lost race', 'publications through staging'), async () => {
  const { admin, server } = shared;
  const folder = (name: string) => path.join(server.cwd, '.quern', name);
  const query = 'SELECT range AS x FROM range(20000000)';
  const script = await storeScript(
    admin,
    `#+import "std/publication"\n#+src sql T() #+meta { :publication { :type "csv", :path "raced.csv" } } #+begin\n` +
      `${query}\n#+end\n{{ publication.Run(blocks=[T]) }};`,
  );
  const slow = runScript(admin, script);
  await waitUntil(() => readdirSync(folder('staging')).length > 0);
  expect(readdirSync(folder('publish'))).toEqual([]);
  writeFileSync(path.join(folder('publish'), 'raced.csv'), 'theirs');
  const lost =
    'the publication of `raced.csv` failed because something else changed it at the same time: run it again';
  const answer = await slow;
  expectRefusal(answer, 409, expect.stringContaining(lost));
  expect(answer.body).toMatchObject({ targets: [{ name: 'raced.csv', status: 'FAILED', message: lost }] });
  expect(readdirSync(folder('staging'))).toEqual([]);
  expect(readFileSync(path.join(folder('publish'), 'raced.csv'), 'utf8')).toBe('theirs');
});
