import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type Client, createClient, expectRefusal } from '../../support/http.ts';
import { makeAdminHome, serve, startServer } from '../../support/server.ts';
import { eventually } from '../../support/waiting.ts';

/** Few rows and much work. */
const BUSY = 'SELECT count(*) FROM range(100000000) a, range(100000) b WHERE a.range * b.range % 7 = 3';

async function start(client: Client, sql: string): Promise<string> {
  const { status, headers, text } = await client.send('POST', '/exec/sql', {
    headers: { prefer: 'respond-async', accept: 'text/csv' },
    body: { sql, connection: { name: 'duckdb' } },
  });
  expect(status, text).toBe(202);
  return headers.location!.replace('/api/v1', '');
}

async function untilIn(client: Client, at: string, ...states: readonly string[]): Promise<void> {
  await eventually(async () => {
    const { body } = await client.send('GET', at);
    expect(states).toContain((body as { state: string }).state);
  });
}

/** The folders of servers and commands below `tmp/`, and their content. */
function listTemporary(cwd: string): readonly string[] {
  const tmp = path.join(cwd, '.quern/tmp');
  return existsSync(tmp) ? readdirSync(tmp, { recursive: true, encoding: 'utf8' }) : [];
}

const idOf = (at: string) => at.split('/').at(-1)!;

it('executions are stored while the server runs, and by no later server, after a kill or a stop', async () => {
  const { cwd, token } = await makeAdminHome();
  for (const end of ['kill', 'stop'] as const) {
    const server = await serve(cwd);
    onTestFinished(() => server.kill());
    const client = createClient(server.url, token);
    const done = await start(client, 'SELECT range AS n FROM range(100000)');
    await untilIn(client, done, 'done');
    const running = await start(client, BUSY);
    await untilIn(client, running, 'running');
    const result = await client.send('GET', `${done}/result`);
    expect(result.text.split('\n')).toHaveLength(100_002);
    const file = listTemporary(cwd).find((name) => name.endsWith(idOf(done)))!;
    expect(statSync(path.join(cwd, '.quern/tmp', file)).mode & 0o777).toBe(0o600);
    await server[end]();
    const next = await serve(cwd);
    onTestFinished(() => next.kill());
    const again = createClient(next.url, token);
    for (const at of [done, `${done}/result`, running, `${running}/result`]) {
      expectRefusal(
        await again.send('GET', at),
        404,
        `Execution not found: ${idOf(at.replace('/result', ''))}`,
      );
    }
    expect((await again.send('GET', '/executions')).body).toEqual({ data: [] });
    expect(listTemporary(cwd).filter((name) => name.includes(idOf(done)))).toEqual([]);
    await next.stop();
    expect(listTemporary(cwd).filter((name) => name.includes(idOf(done)))).toEqual([]);
  }
});

it('SQL does not find the results of others', async () => {
  const { server, admin } = await startServer();
  const at = await start(admin, "SELECT 'a secret' AS kept");
  await untilIn(admin, at, 'done');
  const folder = path.join(server.cwd, '.quern/tmp');
  const file = path.join(folder, listTemporary(server.cwd).find((name) => name.endsWith(idOf(at)))!);
  for (const sql of [
    `SELECT * FROM read_text('${file}')`,
    `SELECT * FROM '${file}'`,
    `SELECT * FROM read_csv('${folder}/*/*')`,
    `SELECT * FROM glob('${folder}/**')`,
    `COPY (SELECT 1) TO '${file}'`,
  ]) {
    const body = { sql, connection: { name: 'duckdb' } };
    const answer = await admin.send('POST', '/exec/sql', { body });
    expect(answer.status, sql).toBe(422);
    expect(answer.text).not.toContain('a secret');
  }
  const { text } = await admin.send('GET', `${at}/result`);
  expect(text).toBe('kept\na secret\n');
});
