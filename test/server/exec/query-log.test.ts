import { readdirSync, readFileSync } from 'node:fs';
import { request as open } from 'node:http';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ExecutionOptions } from '../../../src/workspace/runs/executions.ts';
import { expectRefusal } from '../../support/http.ts';
import { eventually } from '../../support/waiting.ts';
import { createExecWorld, type ExecWorld, rowsOf } from './world.ts';

const QUERIES = '/api/v1/manage/queries';
const BUSY = 'SELECT count(*) FROM range(100000000) a, range(100000) b WHERE a.range * b.range % 7 = 3';

interface Entry {
  readonly id: string;
  readonly user: string;
  readonly name: string;
  readonly outcome: string;
  readonly [field: string]: unknown;
}

/** A server that keeps a log; `warnings` are its messages about the log. */
async function createLogging(
  more: Partial<ExecutionOptions> = {},
  keepsTexts = false,
): Promise<ExecWorld & { readonly warnings: string[] }> {
  const warnings: string[] = [];
  const queryLog = { keepsTexts, days: 30, warn: (line: string) => void warnings.push(line) };
  return { ...(await createExecWorld({ queryLog, ...more })), warnings };
}

/** The log, newest first, after it has the given number of entries. */
function untilLogged({ ask }: ExecWorld, count: number, query = ''): Promise<readonly Entry[]> {
  return eventually(async () => {
    const { status, body } = await ask('GET', `${QUERIES}${query}`);
    expect(status).toBe(200);
    const { data } = body as { data: readonly Entry[] };
    expect(data).toHaveLength(count);
    return data;
  });
}

async function untilRunning({ ask }: ExecWorld, count: number): Promise<readonly { readonly id: string }[]> {
  return eventually(async () => {
    const { body } = await ask('GET', '/api/v1/executions');
    const { data } = body as { data: readonly { readonly id: string }[] };
    expect(data).toHaveLength(count);
    return data;
  });
}

function sha256(text: string): Promise<string> {
  return crypto.subtle
    .digest('SHA-256', Buffer.from(text))
    .then((bytes) => Buffer.from(bytes).toString('hex'));
}

describe('the query log', () => {
  it('records the user, the statement, the time, the address and the outcome', async () => {
    const world = await createLogging();
    const ada = await world.createUser('ada');
    const sql = 'SELECT range AS ü FROM range(3)';
    const { status, headers, text } = await world.sql(sql, {}, { token: ada });
    expect(status).toBe(200);
    const [entry] = await untilLogged(world, 1);
    const { body } = await world.ask('GET', '/api/v1/manage/tokens?owner=ada');
    const startedAt = headers['x-service-execution-started-at'];
    expect(entry).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      user: 'ada',
      token: (body as { data: { id: string }[] }).data[0]!.id,
      connection: 'duckdb',
      name: 'sql',
      hash: await sha256(sql),
      text: null,
      requested_at: expect.stringMatching(/^\d{4}-.*\.\d{9}Z$/),
      started_at: startedAt,
      ended_at: JSON.parse(text).stats.finished_at,
      duration_ms: JSON.parse(text).stats.duration_ms,
      rows: 3,
      bytes: Buffer.byteLength(text),
      outcome: 'done',
      fault: null,
      address: '127.0.0.1',
      request_id: headers['x-request-id'],
    });
    expect(String(entry!.requested_at) <= String(startedAt)).toBe(true);
  });

  it('names scripts and blocks, and has the hash of stored texts', async () => {
    const world = await createLogging();
    const content = "SELECT '$word' AS word";
    await world.put('@Shared/lib/hello', content);
    await world.put('@Shared/lib/blocks', '#+src sql One(n)\n#+begin SELECT {{ n }} AS one #+end');
    const params = { word: 'hunter2' };
    expect(rowsOf(await world.script('@Shared/lib/hello', { params }))).toEqual([['hunter2']]);
    const block = { package: '@Shared/lib', block_name: 'One', connection: { name: 'duckdb' } };
    expect(rowsOf(await world.exec('block', { ...block, args: { n: 7 } }))).toEqual([[7]]);
    const [second, first] = await untilLogged(world, 2);
    expect(first).toMatchObject({ name: '@Shared/lib/hello', hash: await sha256(content), text: null });
    expect(second).toMatchObject({ name: '@Shared/lib.One', hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });

  it('records the errors of executions, also of those that did not start', async () => {
    const world = await createLogging({ limits: { running: 1, queued: 1 }, timeoutMs: 6_000 });
    await world.put('@Shared/broken', 'SELECT {{ 1');
    await world.put('@Shared/loose', 'SELECT $missing');
    expect((await world.sql('SELECT * FROM nowhere')).status).toBe(422);
    expect((await world.script('@Shared/broken')).status).toBe(422);
    expect((await world.sql("COPY (SELECT 1) TO 'x.csv'")).status).toBe(422);
    expect((await world.sql("SELECT error('late') FROM range(3)")).status).toBe(422);
    // A refused execution did not run.
    expect((await world.script('@Shared/nothing')).status).toBe(404);
    expect((await world.sql('SELECT 1', { connection: { name: 'none' } })).status).toBe(404);
    const late = world.sql(BUSY);
    await untilRunning(world, 1);
    const waiting = world.sql('SELECT 1');
    const [, queued] = await untilRunning(world, 2);
    expect((await world.sql('SELECT 2')).status).toBe(429);
    await world.ask('DELETE', `/api/v1/executions/${queued!.id}`);
    expect((await waiting).status).toBe(409);
    expect((await late).status).toBe(504);
    const entries = await untilLogged(world, 7);
    const facts = entries.map(({ name, outcome, fault, started_at, rows }) => [
      name,
      outcome,
      fault,
      started_at !== null,
      rows,
    ]);
    expect(facts.toReversed()).toEqual([
      ['sql', 'failed', 'sql', true, null],
      ['@Shared/broken', 'failed', 'script', true, null],
      ['sql', 'failed', 'gate', true, null],
      ['sql', 'failed', 'sql', true, null],
      ['sql', 'timeout', null, true, null],
      ['sql', 'cancelled', null, false, null],
      ['sql', 'failed', 'busy', false, null],
    ]);
    expect(await untilLogged(world, 1, '?outcome=timeout')).toMatchObject([{ name: 'sql' }]);
  });

  it('has errors that occur before an execution is queued', async () => {
    const world = await createLogging();
    const params = { x: '1; SELECT 2', 'bad name': 'x' };
    const { status } = await world.sql('SELECT 1', { params });
    await world.mkdir('@Shared/p', { folder_type: 'PROJECT' });
    await world.put('@Shared/p/project.toml', '[project\n');
    await world.put('@Shared/p/s', 'SELECT 1');
    const { status: broken } = await world.exec('script', { path: '@Shared/p/s' });
    expect([status, broken]).toEqual([400, 422]);
    expect(await untilLogged(world, 2)).toMatchObject([
      {
        name: '@Shared/p/s',
        outcome: 'failed',
        fault: 'script',
        connection: null,
        started_at: null,
        hash: null,
      },
      { name: 'sql', outcome: 'failed', fault: 'parameter', connection: 'duckdb' },
    ]);
  });

  it('records clients that disconnect, and users whose right is withdrawn', async () => {
    const world = await createLogging();
    const ada = await world.createUser('ada');
    const body = JSON.stringify({ sql: BUSY, connection: { name: 'duckdb' } });
    const leaving = open(`${world.url}/api/v1/exec/sql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.token}`, 'content-type': 'application/json' },
    });
    leaving.on('error', () => undefined).end(body);
    await untilRunning(world, 1);
    leaving.destroy();
    expect(await untilLogged(world, 1)).toMatchObject([{ user: 'admin', outcome: 'left', fault: null }]);
    const running = world.sql(BUSY, {}, { token: ada });
    await untilRunning(world, 1);
    expect((await world.ask('DELETE', '/api/v1/manage/users/ada')).status).toBe(204);
    expectRefusal(await running, 409, 'the execution was cancelled');
    expect(await untilLogged(world, 2)).toMatchObject([{ user: 'ada', outcome: 'cancelled' }, {}]);
    expect(await untilLogged(world, 1, '?user=ADA')).toMatchObject([{ user: 'ada' }]);
  });

  it('records clients that disconnect during the response', async () => {
    const world = await createLogging();
    const sending = open(`${world.url}/api/v1/exec/sql`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${world.token}`,
        'content-type': 'application/json',
        accept: 'text/csv',
      },
    });
    sending.on('error', () => undefined);
    sending.end(JSON.stringify({ sql: 'SELECT * FROM range(1000000000)', connection: { name: 'duckdb' } }));
    await new Promise<void>((resolve) =>
      sending.on('response', (answer) => answer.once('data', () => resolve())),
    );
    sending.destroy();
    const [entry] = await untilLogged(world, 1);
    expect(entry).toMatchObject({ outcome: 'left', rows: null });
    expect(entry!.bytes).toBeGreaterThan(0);
  });

  it.each([false, true])(
    'contains no parameter and no secret, with and without texts: %s',
    async (keepsTexts) => {
      const world = await createLogging({}, keepsTexts);
      const secrets = [
        'parameter-of-a-run',
        'argument-of-a-block',
        'password-of-a-database',
        'text-of-an-override',
      ];
      const [parameter, argument, password, override] = secrets as [string, string, string, string];
      const connection = {
        name: 'pg',
        kind: 'postgresql',
        options: { host: '127.0.0.1', port: '1', user: 'u', database: 'd' },
      };
      await world.ask('POST', '/api/v1/manage/connections', {
        body: { ...connection, secrets: { password } },
      });
      await world.put('@Shared/lib/hello', "SELECT '$word' AS word");
      await world.put('@Shared/lib/blocks', '#+src sql One(n)\n#+begin SELECT {{ n }} AS one #+end');
      await world.sql("SELECT '$x'", { params: { $x: parameter } });
      await world.sql("SELECT error('$x')", { params: { $x: parameter } });
      await world.script('@Shared/lib/hello', { params: { word: parameter } });
      const block = { package: '@Shared/lib', block_name: 'One', connection: { name: 'duckdb' } };
      await world.exec('block', { ...block, args: { n: argument } });
      const overrides = { schema: override };
      await world.sql('SELECT 1', { connection: { name: 'pg', overrides } });
      const entries = await untilLogged(world, 5);
      const written = readdirSync(world.home)
        .filter((name) => name.startsWith('queries.db'))
        .map((name) => readFileSync(path.join(world.home, name), 'latin1'))
        .join('');
      expect(written).toContain('@Shared/lib/hello');
      for (const secret of [...secrets, world.token]) {
        expect(written).not.toContain(secret);
        expect(JSON.stringify(entries)).not.toContain(secret);
      }
      const texts = entries.map(({ text }) => text).toReversed();
      const kept = ["SELECT '$x'", "SELECT error('$x')", "SELECT '$word' AS word", null, 'SELECT 1'];
      expect(texts).toEqual(keepsTexts ? kept : kept.map(() => null));
    },
  );

  it('truncates a long text, and has the hash of the complete text', async () => {
    const world = await createLogging({}, true);
    const sql = `SELECT 1 -- ${'🦆'.repeat(20_000)}`;
    expect((await world.sql(sql)).status).toBe(200);
    const [entry] = await untilLogged(world, 1);
    expect(entry!.hash).toBe(await sha256(sql));
    expect(String(entry!.text)).toHaveLength(16_384);
    expect(String(entry!.text).isWellFormed()).toBe(true);
  });

  it('is kept only if it is configured', async () => {
    const world = await createExecWorld();
    expect((await world.sql('SELECT 1')).status).toBe(200);
    expect(await untilLogged(world, 0)).toEqual([]);
    expect(readdirSync(world.home).filter((name) => name.startsWith('queries'))).toEqual([]);
  });

  it('is complete after a regular end of the server', async () => {
    const world = await createLogging();
    const running = world.sql(BUSY);
    await untilRunning(world, 1);
    expect((await world.sql('SELECT 1')).status).toBe(200);
    await world.instance.executions!.close();
    expect((await running).status).toBe(409);
    const entries = await untilLogged(world, 2);
    expect(entries.map(({ outcome }) => outcome)).toEqual(['done', 'cancelled']);
  });

  it('is for administrators only, also with read-only tokens', async () => {
    const world = await createLogging();
    const editor = await world.createUser('ed');
    expectRefusal(
      await world.ask('GET', QUERIES, { token: editor }),
      403,
      "You don't have permission to perform the request",
    );
    expect((await world.ask('GET', QUERIES, { token: null })).status).toBe(401);
    const reader = await world.createUser('root', 'ADMIN', { scope: 'read' });
    expect((await world.ask('GET', QUERIES, { token: reader })).status).toBe(200);
  });

  it.each([
    ['limit=0', 'Limit must be between 1 and 1000'],
    ['limit=ten', 'Limit must be a whole number'],
    ['since=yesterday', 'Since must be a date or time of ISO 8601, as 2027-01-31T08:00:00Z'],
    ['outcome=broken', 'Outcome must be one of done, failed, cancelled, timeout, lost, left'],
    ['user=a&user=b', 'User must be a string'],
    ['connection=a&connection=b', 'Connection must be a string'],
  ])('refuses %s', async (query, detail) => {
    const { ask } = await createLogging();
    expectRefusal(await ask('GET', `${QUERIES}?${query}`), 400, detail);
  });
});

describe('the metrics', () => {
  it('count executions by outcome, their bytes, and running and waiting executions', async () => {
    const world = await createExecWorld({ limits: { running: 1 } });
    const read = async () => {
      const { text } = await world.ask('GET', '/metrics');
      return Object.fromEntries(
        [...text.matchAll(/^(quern_execution\S+) (\d+)$/gm)].map((line) => [line[1]!, Number(line[2])]),
      );
    };
    const bytes = Buffer.byteLength(
      (await world.sql('SELECT 1', {}, { headers: { accept: 'text/csv' } })).text,
    );
    await world.sql('SELECT * FROM nowhere');
    const running = [world.sql(BUSY), world.sql('SELECT 2', {}, { headers: { accept: 'text/csv' } })];
    const [first] = await untilRunning(world, 2);
    const ended = (outcome: string) => `quern_executions_total{outcome="${outcome}"}`;
    const none = Object.fromEntries(['timeout', 'lost', 'left'].map((outcome) => [ended(outcome), 0]));
    expect(await read()).toEqual({
      ...none,
      [ended('done')]: 1,
      [ended('failed')]: 1,
      [ended('cancelled')]: 0,
      quern_execution_bytes_total: bytes,
      quern_executions_running: 1,
      quern_executions_queued: 1,
    });
    await world.ask('DELETE', `/api/v1/executions/${first!.id}`);
    await Promise.all(running);
    expect(await read()).toMatchObject({
      [ended('done')]: 2,
      [ended('cancelled')]: 1,
      quern_execution_bytes_total: 2 * bytes,
      quern_executions_running: 0,
      quern_executions_queued: 0,
    });
  });
});
