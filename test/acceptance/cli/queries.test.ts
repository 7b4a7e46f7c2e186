import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Client, createClient } from '../../support/http.ts';
import { makeHome, quern } from '../../support/quern.ts';
import { createToken, runQuern, serve, type TestServer } from '../../support/server.ts';
import { eventually } from '../../support/waiting.ts';

const TIME = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z`;

/** A server with a user `ada`, the user's token, and the administrator's token. */
async function start(cwd: string): Promise<{ server: TestServer; admin: Client; ada: Client }> {
  const server = await serve(cwd);
  onTestFinished(() => server.kill());
  const [admin, ada] = [await createToken(cwd), await createToken(cwd, 'ada')];
  return { server, admin: createClient(server.url, admin), ada: createClient(server.url, ada) };
}

async function makeHomeWithAda(): Promise<string> {
  const cwd = await makeHome();
  await runQuern(cwd, 'user create ada');
  return cwd;
}

const run = (client: Client, sql: string, params: object = {}) =>
  client.send('POST', '/exec/sql', { body: { sql, params, connection: { name: 'duckdb' } } });

async function list(cwd: string, options = ''): Promise<readonly Record<string, unknown>[]> {
  return JSON.parse(await runQuern(cwd, `admin queries --json${options}`)).data;
}

function untilListed(cwd: string, count: number): Promise<void> {
  return eventually(async () => expect(await list(cwd)).toHaveLength(count));
}

describe('quern admin queries', () => {
  it('prints the executions of a server, newest first, during the run and afterwards', async () => {
    const cwd = await makeHomeWithAda();
    expect(await runQuern(cwd, 'admin queries')).toBe('');
    const { server, admin, ada } = await start(cwd);
    expect((await run(ada, 'SELECT 1')).status).toBe(200);
    expect((await run(admin, 'SELECT * FROM nowhere')).status).toBe(422);
    await admin.make('assets', '@Shared/two', { content: 'SELECT * FROM range(2)' });
    const script = { path: '@Shared/two', connection: { name: 'duckdb' } };
    expect((await ada.send('POST', '/exec/script', { body: script })).status).toBe(200);
    await untilListed(cwd, 3);
    const expected = [
      `^${TIME}  ada +done +\\d+ ms +2 rows  \\d+ B  duckdb  @Shared/two`,
      `${TIME}  admin  failed: sql  \\d+ ms +- +0 B +duckdb  sql`,
      `${TIME}  ada +done +\\d+ ms +1 row +\\d+ B  duckdb  sql\n$`,
    ];
    expect(await runQuern(cwd, 'admin queries')).toMatch(new RegExp(expected.join('\n')));
    expect(Object.keys((await list(cwd))[0]!)).toEqual(
      `id user token connection name hash text requested_at started_at ended_at duration_ms rows bytes outcome fault address
       request_id`.split(/\s+/),
    );
    const names = async (options: string) => (await list(cwd, options)).map(({ name }) => name);
    expect(await names(' --user ADA')).toEqual(['@Shared/two', 'sql']);
    expect(await names(' --outcome failed')).toEqual(['sql']);
    expect(await names(' --connection shop')).toEqual([]);
    expect(await names(' --since 1h --limit 1')).toEqual(['@Shared/two']);
    expect(await names(' --until 1h')).toEqual([]);
    const { body } = await admin.send('GET', '/manage/queries');
    expect((body as { data: unknown }).data).toEqual(await list(cwd));
    expect(await server.stop()).toBe(0);
    expect(await names('')).toEqual(['@Shared/two', 'sql', 'sql']);
    expect(readdirSync(path.join(cwd, '.quern')).filter((name) => name.startsWith('queries'))).toEqual([
      'queries.db',
    ]);
  });

  it('prints executions from just before the server was killed', async () => {
    const cwd = await makeHomeWithAda();
    const { server, ada } = await start(cwd);
    expect((await run(ada, 'SELECT 1')).status).toBe(200);
    await untilListed(cwd, 1);
    await server.kill();
    expect(await list(cwd)).toHaveLength(1);
    const next = await start(cwd);
    expect((await run(next.ada, 'SELECT 2')).status).toBe(200);
    await untilListed(cwd, 2);
  });

  it.each([
    ['hash', [null]],
    ['text', ["SELECT '$x' AS x"]],
    ['off', []],
  ])('follows query_log = "%s"', async (setting, texts) => {
    const cwd = await makeHomeWithAda();
    writeFileSync(path.join(cwd, '.quern/config.toml'), `[server]\nquery_log = "${setting}"\n`);
    const { server, ada } = await start(cwd);
    expect((await run(ada, "SELECT '$x' AS x", { x: 'hunter2' })).status).toBe(200);
    expect(await server.stop()).toBe(0);
    expect((await list(cwd)).map(({ text }) => text)).toEqual(texts);
    const home = path.join(cwd, '.quern');
    const files = readdirSync(home).filter((name) => name.startsWith('queries'));
    expect(files).toEqual(setting === 'off' ? [] : ['queries.db']);
    for (const name of files) expect(readFileSync(path.join(home, name), 'latin1')).not.toContain('hunter2');
  });

  it.each<[string, number, RegExp]>([
    ['admin queries --as ada', 4, /^error: You don't have permission to perform the request\n$/],
    ['admin queries --limit 1001', 2, /^error: Limit must be between 1 and 1000\n$/],
    ['admin queries --since yesterday', 2, /^error: --since yesterday: use a date such as 2027-01-31/],
    [
      'admin queries --outcome broken',
      2,
      /^error: Outcome must be one of done, failed, cancelled, timeout, lost, left\n$/,
    ],
  ])('refuses %s', async (line, code, message) => {
    const cwd = await makeHomeWithAda();
    const { exitCode, stdout, stderr } = await quern(line.split(' '), { cwd });
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: code,
      stdout: '',
      stderr: expect.stringMatching(message),
    });
  });

  it('prints advice about a damaged log, and the server works without the log', async () => {
    const cwd = await makeHomeWithAda();
    const file = path.join(cwd, '.quern/queries.db');
    writeFileSync(file, 'x'.repeat(10_000));
    const { server, ada } = await start(cwd);
    for (let round = 0; round < 3; round += 1) expect((await run(ada, 'SELECT 1')).status).toBe(200);
    const { exitCode, stderr } = await quern(['admin', 'queries'], { cwd });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('queries.db cannot be used')]);
    expect(stderr).toContain('move it aside; a new one is created in its place');
    expect((await quern(['admin', 'check'], { cwd })).exitCode).not.toBe(70);
    await eventually(() => expect(server.log()).toContain('entries are lost'));
    rmSync(file);
    const { headers } = await run(ada, 'SELECT 2');
    const last = { outcome: 'done', request_id: headers['x-request-id'] };
    // Entries that the server has not tried to write before are written now.
    await eventually(async () => expect((await list(cwd))[0]).toMatchObject(last));
    expect(await server.stop()).toBe(0);
    const warned = server
      .log()
      .split('\n')
      .filter((line) => line.includes('the query log'));
    expect(warned).toHaveLength(2);
    expect(warned[0]).toContain('"level":"warn"');
  });
});
