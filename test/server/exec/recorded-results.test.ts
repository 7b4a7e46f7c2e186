import { describe, expect, inject, it } from 'vitest';
import { expectRefusal } from '../../support/http.ts';
import { BUSY, fetchResult, listResults } from './later-world.ts';
import {
  fetchBytes,
  followBytes,
  followRecorded,
  listRecorded,
  RECORDED,
  rowsOfArrow,
  startRecorded,
  waitForStatements,
} from './recordings.ts';
import { WITHDRAWALS } from './withdrawals.ts';
import { createExecWorld, rowsOf } from './world.ts';

const SCRIPT = `CREATE TABLE t (i INTEGER);
INSERT INTO t SELECT range FROM range(3);
SELECT i, 'x' || i AS name FROM t;
  UPDATE t SET i = i + 1 WHERE i > 0;
WITH a AS (SELECT 1) SELECT count(*) AS n FROM t`;

describe('recorded results', () => {
  it('have the text that runs on request, with its script, unless it is long', async () => {
    const world = await createExecWorld();
    const id = await startRecorded(world, 'SELECT 1 AS "long"');
    expect(await followRecorded(world, id)).not.toHaveProperty('text');
    expect((await listRecorded(world, id, '?text=true')).text).toEqual({
      file: null,
      block: null,
      text: 'SELECT 1 AS "long"',
    });
    await world.put('@Shared/kept', 'SELECT 2');
    const connection = { name: 'duckdb' };
    const script = await world.ask('POST', '/api/v1/exec/script?results=all', {
      ...RECORDED,
      body: { path: '@Shared/kept', connection },
    });
    const { id: stored } = script.body as { id: string };
    expect((await listRecorded(world, stored, '?text=true')).text).toEqual({
      file: '@Shared/kept',
      block: null,
      text: 'SELECT 2',
    });
    const content = '#+src sql Two()\nSELECT 2;\n#+end';
    const sent = await world.ask('POST', '/api/v1/exec/bundle?results=all', {
      ...RECORDED,
      body: { what: 'run', base: '@Shared', block: 'Two', files: [{ path: 'two', content }], connection },
    });
    expect((await listRecorded(world, (sent.body as { id: string }).id, '?text=true')).text).toEqual({
      file: '@Shared/two',
      block: 'Two',
      text: content,
    });
    const long = await startRecorded(world, `SELECT 1 -- ${'x'.repeat(131_072)}`);
    expect((await listRecorded(world, long, '?text=true')).text).toBeNull();
  });

  it('are one for each statement, with kind, position, columns and rows', async () => {
    const world = await createExecWorld();
    const id = await startRecorded(world, SCRIPT);
    const { execution, data, omitted, targets, schemas, warnings, tests } = await followRecorded(world, id);
    expect(execution).toMatchObject({
      id,
      state: 'done',
      rows: 4,
      error: null,
      result: null,
      results: `/api/v1/executions/${id}/results`,
    });
    expect({ omitted, targets, schemas, warnings, tests }).toEqual({
      omitted: 0,
      targets: [],
      schemas: [],
      warnings: [],
      tests: null,
    });
    expect(data.map(({ index, kind, rows, statement }) => [index, kind, rows, statement.line])).toEqual([
      [0, 'none', null, 1],
      [1, 'count', 3, 2],
      [2, 'rows', 3, 3],
      [3, 'count', 2, 4],
      [4, 'rows', 1, 5],
    ]);
    expect(data[3]!.statement).toEqual({
      text: 'UPDATE t SET i = i + 1 WHERE i > 0',
      title: null,
      file: 'sql',
      line: 4,
      column: 3,
    });
    expect(data[2]!.columns).toEqual([
      { name: 'i', type: 'INTEGER' },
      { name: 'name', type: 'STRING' },
    ]);
    for (const { is_complete, is_truncated, ended_at } of data) {
      expect({ is_complete, is_truncated }).toEqual({ is_complete: true, is_truncated: false });
      expect(ended_at).not.toBeNull();
    }
    const bytes = await followBytes(world, id, 2);
    expect(bytes).toHaveLength(data[2]!.bytes);
    expect(rowsOfArrow(bytes)).toEqual([
      [0, 'x0'],
      [1, 'x1'],
      [2, 'x2'],
    ]);
    expect(rowsOfArrow(await followBytes(world, id, 4))).toEqual([[3n]]);
    expect(await fetchBytes(world, id, 0)).toMatchObject({ status: 200, next: 0, isComplete: true });
  });

  it('are the bytes of a synchronous Arrow response, however they are cut', async () => {
    const world = await createExecWorld();
    const sql = "SELECT range AS i, 'some text ' || range AS t, range / 7 AS d FROM range(60000)";
    const id = await startRecorded(world, sql);
    const response = await fetch(`${world.url}/api/v1/exec/sql`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${world.token}`,
        'content-type': 'application/json',
        accept: 'application/vnd.apache.arrow.stream',
      },
      body: JSON.stringify({ sql, connection: { name: 'duckdb' } }),
    });
    const expected = Buffer.from(await response.arrayBuffer());
    const bytes = await followBytes(world, id, 0);
    expect(bytes.equals(expected)).toBe(true);
    const tail = await fetchBytes(world, id, 0, `?from=${bytes.length - 5}`);
    expect(tail.bytes.equals(expected.subarray(-5))).toBe(true);
    const end = await fetchBytes(world, id, 0, `?from=${bytes.length}&wait=30`);
    expect(end).toMatchObject({ status: 200, isComplete: true, next: bytes.length });
    expect(end.bytes).toHaveLength(0);
    const beyond = await world.ask('GET', `/api/v1/executions/${id}/results/0?from=${bytes.length + 1}`);
    expectRefusal(beyond, 416, `From is beyond the end of the result: ${bytes.length + 1}`);
  });

  it('have at most 8 MB in a response', async () => {
    const world = await createExecWorld();
    const id = await startRecorded(world, 'SELECT range AS i FROM range(2000000)');
    await followRecorded(world, id);
    const first = await fetchBytes(world, id, 0);
    expect(first).toMatchObject({ next: 8 * 1024 ** 2, isComplete: false });
    expect(rowsOfArrow(await followBytes(world, id, 0))).toHaveLength(2_000_000);
  });

  it('are readable while the execution runs, and stay after a cancellation', async () => {
    const world = await createExecWorld();
    const id = await startRecorded(world, `SELECT range AS i FROM range(5000); SELECT 1; ${BUSY}`);
    expect(rowsOfArrow(await followBytes(world, id, 0))).toHaveLength(5_000);
    expect(rowsOfArrow(await followBytes(world, id, 1))).toEqual([[1]]);
    const running = await listRecorded(world, id);
    expect(running.execution).toMatchObject({ state: 'running', rows: 5_001 });
    expect(running.data[2]).toMatchObject({ kind: 'none', is_complete: false, ended_at: null });
    const waiting = fetchBytes(world, id, 2, '?wait=30');
    expect((await world.ask('DELETE', `/api/v1/executions/${id}`)).status).toBe(204);
    expect(await waiting).toMatchObject({ status: 200, isComplete: true, next: 0 });
    const ended = await followRecorded(world, id);
    expect(ended.execution).toMatchObject({ state: 'cancelled', error: { status: 409 } });
    expect(ended.data.map(({ is_complete }) => is_complete)).toEqual([true, true, true]);
    expect(rowsOfArrow(await followBytes(world, id, 0))).toHaveLength(5_000);
    expect((await world.ask('DELETE', `/api/v1/executions/${id}`)).status).toBe(204);
    expect((await fetchBytes(world, id, 0)).status).toBe(404);
    expect(listResults(world)).toEqual([]);
  });

  it('before a failed statement stay, and the error has its position', async () => {
    const world = await createExecWorld();
    const id = await startRecorded(world, 'SELECT 42 AS a;\nSELECT * FROM missing;\nSELECT 2');
    const { execution, data } = await followRecorded(world, id);
    expect(execution.state).toBe('failed');
    expect(execution.error).toMatchObject({
      status: 422,
      code: 'sql_error',
      diagnostics: [{ file: 'sql', line: 2, column: 15, severity: 'error', end: { line: 2, column: 22 } }],
    });
    expect(data.map(({ kind, is_complete }) => [kind, is_complete])).toEqual([
      ['rows', true],
      ['none', true],
    ]);
    expect(rowsOfArrow(await followBytes(world, id, 0))).toEqual([[42]]);
  });

  it('of a statement that fails after its first rows are marked and have an orderly end', async () => {
    const world = await createExecWorld();
    const sql =
      "SELECT CASE WHEN range < 900000 THEN range ELSE error('too far') END AS i FROM range(1000000)";
    const id = await startRecorded(world, sql);
    const { execution, data } = await followRecorded(world, id);
    expect(execution.state).toBe('failed');
    expect(data[0]).toMatchObject({ kind: 'rows', is_complete: true, is_truncated: true });
    expect(rowsOfArrow(await followBytes(world, id, 0))).toHaveLength(data[0]!.rows!);
  });

  it('end in an orderly way at the limit, and the statements after it still run', async () => {
    const world = await createExecWorld({ results: { result: 100_000 } });
    const sql = `CREATE TABLE t AS SELECT 0 AS i; SELECT range AS a FROM range(10000000);
      INSERT INTO t SELECT range FROM range(100000) RETURNING i; SELECT count(*) FROM t`;
    const id = await startRecorded(world, sql);
    const { execution, data } = await followRecorded(world, id);
    expect(execution).toMatchObject({ state: 'done', error: null });
    expect(data.map(({ is_truncated }) => is_truncated)).toEqual([false, true, true, false]);
    for (const index of [1, 2]) {
      expect(data[index]!.bytes).toBeLessThanOrEqual(100_008);
      expect(rowsOfArrow(await followBytes(world, id, index))).toHaveLength(data[index]!.rows!);
    }
    expect(data[1]!.rows).toBeGreaterThan(0);
    expect(rowsOfArrow(await followBytes(world, id, 3))).toEqual([[100_001n]]);
    expect(rowsOf(await world.sql('SELECT count(*) FROM t'))).toEqual([[100_001]]);
  });

  it('leave half of the room of a user to later results', async () => {
    const world = await createExecWorld({ results: { perOwner: 200_000 } });
    const wide = 'SELECT range AS a FROM range(100000)';
    const first = await followRecorded(world, await startRecorded(world, `${wide}; ${wide}; SELECT 1 AS b`));
    const [one, two, three] = first.data;
    expect(one).toMatchObject({ is_truncated: true });
    expect(one!.bytes).toBeLessThanOrEqual(100_008);
    expect(two).toMatchObject({ is_truncated: true });
    expect(three).toMatchObject({ is_truncated: false, rows: 1 });
  });

  it('list at most 1,000 statements, and keep places for result sets', async () => {
    const world = await createExecWorld();
    const inserts = Array.from({ length: 1_100 }, () => 'INSERT INTO t VALUES (1)');
    const id = await startRecorded(world, `CREATE TABLE t (i INTEGER); ${inserts.join(';')}; FROM t LIMIT 2`);
    const { data, omitted } = await followRecorded(world, id);
    expect(data).toHaveLength(901);
    expect(omitted).toBe(201);
    expect(data.at(-1)).toMatchObject({ kind: 'rows', rows: 2 });
    expect(rowsOf(await world.sql('SELECT count(*) FROM t'))).toEqual([[1_100]]);
  });
});

describe('requests for recorded results', () => {
  it('need respond-async and work that runs something', async () => {
    const world = await createExecWorld();
    const detail =
      'results=all needs the header Prefer: respond-async, and work that runs statements or tests';
    expectRefusal(await world.sql('SELECT 1', {}, { query: '?results=all' }), 400, detail);
    const check = { what: 'check', files: [{ path: 'a.sql', content: 'SELECT 1' }] };
    expectRefusal(await world.exec('bundle', check, RECORDED), 400, detail);
    const other = await world.sql('SELECT 1', {}, { ...RECORDED, query: '?results=some' });
    expectRefusal(other, 400, 'Results must be one of all');
    const reader = await world.createUser('reader', 'ADMIN', { scope: 'read' });
    expect((await world.sql('SELECT 1', {}, { ...RECORDED, token: reader })).status).toBe(403);
    expect(rowsOf(await world.sql('SELECT 1'))).toEqual([[1]]);
  });

  it('ignore Accept and the preference wait', async () => {
    const world = await createExecWorld();
    const headers = { prefer: 'respond-async, wait=20', accept: 'image/png' };
    const { status, body } = await world.sql('SELECT 1', {}, { ...RECORDED, headers });
    expect(status).toBe(202);
    const { id } = body as { readonly id: string };
    const { data } = await followRecorded(world, id);
    expect(data).toHaveLength(1);
    expectRefusal(
      await fetchResult(world, { id, state: '', result: null, error: null }),
      404,
      `The execution has one result for each statement: ${id}`,
    );
  });

  it('check their parameters', async () => {
    const world = await createExecWorld();
    const id = await startRecorded(world, 'SELECT 1');
    await followRecorded(world, id);
    const at = `/api/v1/executions/${id}/results`;
    for (const [target, status, detail] of [
      [`${at}?wait=31`, 400, 'Wait must be a whole number from 0 to 30'],
      [`${at}/0?wait=-1`, 400, expect.stringContaining('Wait must be')],
      [`${at}/0?from=x`, 400, expect.stringContaining('From must be')],
      [`${at}/1`, 404, 'Result not found: 1'],
      [`${at}/1?wait=30`, 404, 'Result not found: 1'],
      [`${at}/-1`, 404, 'Result not found: -1'],
      [`${at}/x`, 404, 'Result not found: x'],
      ['/api/v1/executions/unknown/results', 404, 'Execution not found: unknown'],
      ['/api/v1/executions/unknown/results/0', 404, 'Execution not found: unknown'],
    ] as const) {
      expectRefusal(await world.ask('GET', target), status, detail);
    }
    const plain = await world.sql('SELECT 1', {}, { headers: RECORDED.headers });
    const other = (plain.body as { readonly id: string }).id;
    expect((plain.body as { readonly results: unknown }).results).toBeNull();
    expectRefusal(
      await world.ask('GET', `/api/v1/executions/${other}/results`),
      404,
      `The execution has no results for each statement: ${other}`,
    );
  });

  it('are answered to the owner and to administrators only, also with a read-only token', async () => {
    const world = await createExecWorld();
    const [ada, eve] = [await world.createUser('ada'), await world.createUser('eve')];
    const id = await startRecorded(world, 'SELECT 7', ada);
    await followRecorded(world, id);
    const missing = `Execution not found: ${id}`;
    for (const target of [`/api/v1/executions/${id}/results`, `/api/v1/executions/${id}/results/0`]) {
      expectRefusal(await world.ask('GET', target, { token: eve }), 404, missing);
      expect((await world.ask('GET', target, { token: null })).status).toBe(401);
    }
    const reader = await world.createUser('reader', 'ADMIN', { scope: 'read' });
    expect((await fetchBytes(world, id, 0, '', reader)).status).toBe(200);
    expect(rowsOfArrow((await fetchBytes(world, id, 0, '', ada)).bytes)).toEqual([[7]]);
  });

  it.skipIf(inject('postgresql') === null)('have the rows that a slow statement has sent', async () => {
    const world = await createExecWorld();
    const { password, ...options } = inject('postgresql')!;
    const body = { name: 'warehouse', kind: 'postgresql', options, secrets: { password } };
    expect((await world.ask('POST', '/api/v1/manage/connections', { body })).status).toBe(201);
    // PostgreSQL sends rows when they fill its buffer of 8 KB.
    const sql = `SELECT i, repeat('x', 20000) AS text FROM generate_series(1, 3) AS i
      UNION ALL SELECT 4, pg_sleep(3600)::text`;
    const connection = { name: 'warehouse' };
    const { id } = (await world.exec('sql', { sql, connection }, RECORDED)).body as { readonly id: string };
    let found = await listRecorded(world, id);
    while ((found.data[0]?.rows ?? 0) < 2) {
      expect(found.execution.state).toMatch(/queued|running/);
      found = await listRecorded(world, id, `?wait=30&after=${found.version}`);
    }
    expect(rowsOfArrow((await fetchBytes(world, id, 0)).bytes).map(([i]) => i)).toContain(2);
    expect((await listRecorded(world, id)).execution.state).toBe('running');
    await world.ask('DELETE', `/api/v1/executions/${id}`);
  });

  it('wait for a change, and return at the end of their time', async () => {
    const world = await createExecWorld();
    const id = await startRecorded(world, BUSY);
    const first = await waitForStatements(world, id, 1);
    const same = await listRecorded(world, id, `?wait=1&after=${first.version}`);
    expect(same.version).toBe(first.version);
    const changed = listRecorded(world, id, `?wait=30&after=${first.version}`);
    await world.ask('DELETE', `/api/v1/executions/${id}`);
    expect((await changed).version).not.toBe(first.version);
  });

  it.each(WITHDRAWALS)('end with 404 when %s', async (_, change) => {
    const world = await createExecWorld();
    const token = await world.createUser('ada');
    const id = await startRecorded(world, `SELECT 1; ${BUSY}`, token);
    await followBytes(world, id, 0);
    let { version } = await waitForStatements(world, id, 2);
    const waitForNews = async () => {
      for (;;) {
        const news = await world.ask('GET', `/api/v1/executions/${id}/results?wait=30&after=${version}`);
        if (news.status !== 200) return news;
        ({ version } = news.body as { readonly version: string });
      }
    };
    const waiting = Promise.all([
      waitForNews(),
      world.ask('GET', `/api/v1/executions/${id}/results/1?wait=30`),
    ]);
    expect((await change(world)).status).toBeLessThan(300);
    expect((await waiting).map(({ status }) => status)).toEqual([404, 404]);
    expect(listResults(world)).toEqual([]);
  });
});
