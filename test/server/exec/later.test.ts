import { describe, expect, it } from 'vitest';
import { type Answer, expectRefusal } from '../../support/http.ts';
import { eventually } from '../../support/waiting.ts';
import {
  BUSY,
  type Execution,
  expectAccepted,
  fetchResult,
  LATER,
  listResults,
  run,
  untilEnded,
} from './later-world.ts';
import { createExecWorld, rowsOf } from './world.ts';

describe('an asynchronous execution', () => {
  it('continues without its client, shows its state, and returns its result', async () => {
    const world = await createExecWorld();
    await world.put('@Shared/numbers', 'SELECT range AS n FROM range(3)');
    const started = expectAccepted(await world.script('@Shared/numbers', {}, LATER));
    expect(started.result).toBe(`/api/v1/executions/${started.id}/result`);
    const time = expect.stringMatching(/^\d{4}-.*\.\d{9}Z$/);
    expect(await untilEnded(world, started)).toEqual({
      id: started.id,
      user: 'admin',
      connection: 'duckdb',
      name: '@Shared/numbers',
      state: 'done',
      is_queued_by_database: false,
      requested_at: time,
      started_at: time,
      ended_at: time,
      kept_until: time,
      rows: 3,
      bytes: expect.any(Number),
      tests: null,
      progress: null,
      error: null,
      result: started.result,
      results: null,
    });
    const answer = await world.ask('GET', started.result!);
    expect(rowsOf(answer)).toEqual([[0], [1], [2]]);
    const listed = await world.ask('GET', '/api/v1/executions');
    expect((listed.body as { data: Execution[] }).data.map(({ id }) => id)).toEqual([started.id]);
  });

  it.each([
    ['application/json', 'SELECT 1 AS a, NULL AS b'],
    ['text/csv', "SELECT 'é,' AS a, '' AS b"],
    ['application/vnd.apache.arrow.stream', 'SELECT 1 AS a'],
    ['application/x-ndjson', 'SELECT 1 AS a UNION ALL SELECT 2'],
    ['text/csv', 'CREATE TEMP TABLE t (x INTEGER)'],
    ['application/json', 'CREATE TEMP TABLE t (x INTEGER)'],
  ])('answers %s as a synchronous execution does: %s', async (accept, sql) => {
    const world = await createExecWorld();
    const atOnce = await world.sql(sql, {}, { headers: { accept } });
    const later = await fetchResult(world, await run(world, sql, { accept }));
    const strip = ({ status, headers, text }: Answer) => {
      const { date: _, 'x-request-id': __, 'x-service-execution-started-at': at, ...rest } = headers;
      expect(at).toMatch(/^\d{4}-.*\.\d{9}Z$/);
      const body = text.replace(/"stats":.*/, '');
      return { status, body, rest: { ...rest, 'content-length': rest['content-length'] && 'some' } };
    };
    expect(strip(later)).toEqual(strip(atOnce));
    const length = accept.includes('arrow')
      ? atOnce.headers['content-length']
      : String(Buffer.byteLength(later.text));
    expect(later.headers['content-length']).toBe(length);
  });

  it('counts its tests in its state, once it is done', async () => {
    const world = await createExecWorld();
    const content = [
      '#+test sql Sound() #+begin SELECT 1 WHERE false #+end',
      '#+test sql Faulty() #+begin SELECT 1 #+end',
      '#+test sql Broken() #+begin SELECT * FROM nowhere #+end',
    ].join('\n');
    const files = [{ path: 'a.sql', content }];
    const on = { connection: { name: 'duckdb' } };
    const start = (body: object) => world.exec('bundle', { files, ...on, ...body }, LATER);
    const tested = await untilEnded(world, expectAccepted(await start({ what: 'tests' })));
    expect(tested).toMatchObject({ state: 'done', tests: { total: 3, failed: 2 }, error: null });
    const passed = await start({ what: 'tests', include: ['*Sound'] });
    expect(await untilEnded(world, expectAccepted(passed))).toMatchObject({ tests: { total: 1, failed: 0 } });
    const listed = await world.ask('GET', '/api/v1/executions');
    expect(listed.body).toMatchObject({
      data: [{ tests: { total: 3, failed: 2 } }, { tests: { failed: 0 } }],
    });
    const missing = await start({ what: 'tests', include: ['Nothing'] });
    expect(await untilEnded(world, expectAccepted(missing))).toMatchObject({ state: 'failed', tests: null });
  });

  it('shows how much of its statement is done while it runs, and nothing after its end', async () => {
    const world = await createExecWorld();
    await world.sql('CREATE TABLE big AS SELECT range::VARCHAR AS a FROM range(2000000)');
    const { id } = expectAccepted(
      await world.sql(`SELECT max(${'sha256('.repeat(40)}a${')'.repeat(40)}) FROM big`, {}, LATER),
    );
    const look = async () =>
      (await world.ask('GET', `/api/v1/executions/${id}`)).body as { progress: number };
    const { progress } = await eventually(async () => {
      const found = await look();
      expect(found.progress).toBeGreaterThan(0);
      return found;
    });
    expect(progress).toBeLessThan(1);
    await world.ask('DELETE', `/api/v1/executions/${id}`);
    const { state, progress: after } = (await untilEnded(world, {
      id,
      state: '',
      result: null,
      error: null,
    })) as Execution & { readonly progress: number | null };
    expect([state, after]).toEqual(['cancelled', null]);
  });

  it('returns the results of its tests as JSON, with any Accept header', async () => {
    const world = await createExecWorld();
    await world.put(
      '@Shared/t/tests',
      '#+test sql Fails()\n#+begin SELECT 1 #+end\n#+test sql Passes()\n#+begin SELECT 1 WHERE false #+end',
    );
    for (const accept of ['application/json', 'text/csv']) {
      const headers = { ...LATER.headers, accept };
      const started = expectAccepted(await world.script('@Shared/t/tests', {}, { headers }));
      await untilEnded(world, started);
      const { headers: found, body } = await fetchResult(world, started);
      expect(found['content-type']).toBe('application/json; charset=utf-8');
      expect(body).toMatchObject({ stats: { tests: 2, passed: 1, failed: 1 } });
    }
  });

  it('returns a long result compressed on request, and otherwise with its length', async () => {
    const world = await createExecWorld();
    const done = await run(world, 'SELECT range AS n FROM range(300000)', { accept: 'text/csv' });
    const plain = await fetchResult(world, done);
    expect(plain.text.split('\n')).toHaveLength(300_002);
    expect(plain.headers).toMatchObject({
      'content-length': String(plain.text.length),
      vary: 'accept, accept-encoding',
    });
    for (const encoding of ['gzip', 'zstd']) {
      const accept = { 'accept-encoding': encoding };
      const { headers } = await fetchResult(world, done, accept);
      expect(headers['content-encoding']).toBe(encoding);
      const head = await fetchResult(world, done, accept, 'HEAD');
      expect(head.headers['content-encoding']).toBe(encoding);
    }
    const unpacked = await fetch(`${world.url}${done.result}`, {
      headers: { authorization: `Bearer ${world.token}`, 'accept-encoding': 'gzip' },
    });
    expect(await unpacked.text()).toBe(plain.text);
    const head = await fetchResult(world, done, {}, 'HEAD');
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(head.headers).toMatchObject({
      'content-length': plain.headers['content-length'],
      'content-type': plain.headers['content-type'],
      'x-service-execution-started-at': plain.headers['x-service-execution-started-at'],
    });
  });

  it('is refused at once for errors that are found before it is queued', async () => {
    const world = await createExecWorld();
    await world.put('@Shared/p/project.toml', '[general');
    await world.put('@Shared/p/one', 'SELECT 1');
    expectRefusal(await world.exec('sql', { sql: 'SELECT 1' }, LATER), 400, 'Connection is required');
    expectRefusal(await world.script('@Shared/no', {}, LATER), 404, 'Path not found: @Shared/no');
    expectRefusal(
      await world.sql('SELECT 1', { connection: { name: 'no' } }, LATER),
      404,
      'Connection not found: no',
    );
    expectRefusal(
      await world.sql('SELECT 1', { params: { 'a b': 1 } }, LATER),
      400,
      expect.stringContaining('a b'),
    );
    expectRefusal(await world.script('@Shared', {}, LATER), 422, 'Path must be an asset');
    expectRefusal(
      await world.script('@Shared/p/one', {}, LATER),
      422,
      expect.stringContaining('invalid TOML'),
    );
    const folder = await world.sql('SELECT 1', {}, { headers: { ...LATER.headers, accept: 'image/png' } });
    expect(folder.status).toBe(406);
    const token = await world.createUser('reader', 'ADMIN', { scope: 'read' });
    expect((await world.sql('SELECT 1', {}, { ...LATER, token })).status).toBe(403);
    expect((await world.ask('GET', '/api/v1/executions')).body).toEqual({ data: [] });
  });

  it('is refused at once when too many wait', async () => {
    const world = await createExecWorld({ limits: { running: 1, queued: 1 } });
    const [first, second] = [await world.sql(BUSY, {}, LATER), await world.sql('SELECT 2', {}, LATER)];
    const running = expectAccepted(first);
    const queued = expectAccepted(second);
    expect(queued.state).toBe('queued');
    expectRefusal(await fetchResult(world, queued), 409, `The execution has not ended yet: ${queued.id}`);
    const refused = await world.sql('SELECT 3', {}, LATER);
    expectRefusal(refused, 429, expect.stringContaining('waiting'));
    expect(refused.headers['retry-after']).toBe('5');
    expect((await world.ask('DELETE', `/api/v1/executions/${queued.id}`)).status).toBe(204);
    expect(await untilEnded(world, queued)).toMatchObject({
      state: 'cancelled',
      started_at: null,
      rows: null,
    });
    await world.ask('DELETE', `/api/v1/executions/${running.id}`);
    expect(await untilEnded(world, running)).toMatchObject({
      state: 'cancelled',
      started_at: expect.any(String),
    });
  });

  it('that fails is answered with the error, and leaves no file', async () => {
    const world = await createExecWorld();
    const sql = 'SELECT range, CASE WHEN range = 2000000 THEN error(1 + 1) ELSE 7 END FROM range(3000000)';
    const late = await run(world, 'SELECT nothing');
    const atOnce = await world.sql('SELECT nothing');
    const { detail, ...same } = atOnce.body as Record<'detail' | 'message' | 'code', string>;
    const { message, code } = same;
    expect(late).toMatchObject({
      state: 'failed',
      error: { status: 422, message, detail, code },
      rows: null,
    });
    expectRefusal(await fetchResult(world, late), 422, detail);
    const broken = await run(world, sql, { accept: 'text/csv' });
    expect(broken.state).toBe('failed');
    expect((await fetchResult(world, broken)).status).toBe(422);
    expect(listResults(world)).toEqual([]);
  });

  it('continues when its client disconnects', async () => {
    const world = await createExecWorld();
    const asked = new AbortController();
    const aborted = fetch(`${world.url}/api/v1/exec/sql`, {
      method: 'POST',
      signal: asked.signal,
      headers: {
        authorization: `Bearer ${world.token}`,
        'content-type': 'application/json',
        prefer: 'respond-async, wait=30',
      },
      body: JSON.stringify({
        sql: 'SELECT count(*) FROM range(600000000) WHERE range % 7 = 3',
        connection: { name: 'duckdb' },
      }),
    });
    const found = await eventually(async () => {
      const { body } = await world.ask('GET', '/api/v1/executions');
      const [first] = (body as { data: Execution[] }).data;
      expect(first).toBeDefined();
      return first!;
    });
    asked.abort();
    await expect(aborted).rejects.toThrow(/abort/);
    const ended = await eventually(async () => {
      const answer = await world.ask('GET', `/api/v1/executions/${found.id}`);
      // The server cannot know whether the waiting client received the answer.
      expect(answer.status === 404 || (answer.body as Execution).state === 'done').toBe(true);
      return answer;
    });
    expect([200, 404]).toContain(ended.status);
  });
});

describe('a client that prefers to wait for some seconds', () => {
  it('gets the answer when it is ready in time, and nothing is stored', async () => {
    const world = await createExecWorld();
    const prefer = 'respond-async, wait=30';
    const answer = await world.sql('SELECT 42', {}, { headers: { prefer } });
    expect(rowsOf(answer)).toEqual([[42]]);
    expectRefusal(
      await world.sql('SELECT nothing', {}, { headers: { prefer } }),
      422,
      expect.stringContaining('nothing'),
    );
    const csv = await world.sql('SELECT 42 AS a', {}, { headers: { prefer, accept: 'text/csv' } });
    expect(csv.text).toBe('a\n42\n');
    expect((await world.ask('GET', '/api/v1/executions')).body).toEqual({ data: [] });
    expect(listResults(world)).toEqual([]);
  });

  it('returns its location when it does not', async () => {
    const world = await createExecWorld();
    const started = expectAccepted(
      await world.sql(BUSY, {}, { headers: { prefer: 'wait=1, respond-async' } }),
    );
    expect(started.state).toBe('running');
    await world.ask('DELETE', `/api/v1/executions/${started.id}`);
    await untilEnded(world, started);
  });

  it('waits for the result without `respond-async`', async () => {
    const world = await createExecWorld();
    for (const prefer of ['wait=1', 'return=minimal', 'foo="respond-async"', '', 'x;respond-async']) {
      expect(rowsOf(await world.sql('SELECT 1', {}, { headers: { prefer } }))).toEqual([[1]]);
    }
  });
});
