import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectRefusal } from '../../support/http.ts';
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
import { fetchBytes, followRecorded, RECORDED } from './recordings.ts';
import { WITHDRAWALS } from './withdrawals.ts';
import { createExecWorld, rowsOf } from './world.ts';

describe('a stored result', () => {
  it('is readable by its owner and by administrators, also with a read-only token', async () => {
    const world = await createExecWorld();
    const [ada, eve] = [await world.createUser('ada'), await world.createUser('eve')];
    const started = expectAccepted(await world.sql('SELECT 7', {}, { ...LATER, token: ada }));
    await untilEnded(world, started, ada);
    const missing = `Execution not found: ${started.id}`;
    expectRefusal(await world.ask('GET', `/api/v1/executions/${started.id}`, { token: eve }), 404, missing);
    expectRefusal(await fetchResult(world, started, {}, 'GET', eve), 404, missing);
    expectRefusal(
      await world.ask('DELETE', `/api/v1/executions/${started.id}`, { token: eve }),
      404,
      missing,
    );
    expect((await fetchResult(world, started, {}, 'GET', undefined)).status).toBe(200);
    const reader = await world.createUser('reader', 'ADMIN', { scope: 'read' });
    expect((await fetchResult(world, started, {}, 'GET', reader)).status).toBe(200);
    expect((await world.ask('GET', `/api/v1/executions/${started.id}/result`, { token: null })).status).toBe(
      401,
    );
    expect(rowsOf(await fetchResult(world, started, {}, 'GET', ada))).toEqual([[7]]);
  });

  it('needs VIEW on its script again when it is read', async () => {
    const world = await createExecWorld();
    const token = await world.createUser('ada');
    const connection = { name: 'duckdb' };
    await world.put('@Shared/team/one', 'SELECT 1');
    await world.put('@Shared/team/bad', 'SELECT missing');
    await world.put('@Shared/team/block', '#+src sql One()\n#+begin SELECT 1 #+end');
    const files = [{ path: 'two.sql', content: 'SELECT 2' }];
    const sent = [
      ['script', { path: '@Shared/team/one', connection }, '@Shared/team/one'],
      ['script', { path: '@Shared/team/bad', connection }, '@Shared/team/bad'],
      ['block', { package: '@Shared/team', block_name: 'One', connection }, '@Shared/team'],
      ['bundle', { what: 'run', base: '@Shared/team', files, path: 'two', connection }, '@Shared/team'],
    ] as const;
    const started = await Promise.all(
      sent.map(async ([what, body, path]) => {
        const execution = expectAccepted(await world.exec(what, body, { ...LATER, token }));
        return { path, execution: await untilEnded(world, execution, token) };
      }),
    );
    const recorded = expectAccepted(await world.exec('script', sent[0][1], { ...RECORDED, token })).id;
    await followRecorded(world, recorded);
    const list = () => world.ask('GET', `/api/v1/executions/${recorded}/results`, { token });
    expect((await list()).status).toBe(200);
    const restrict = { target: '@Shared/team' };
    expect((await world.ask('POST', '/api/v1/manage/grants/restrict', { body: restrict })).status).toBe(200);
    for (const { path, execution } of started) {
      const hidden = `Path not found: ${path}`;
      expectRefusal(await fetchResult(world, execution, {}, 'GET', token), 404, hidden);
    }
    expectRefusal(await list(), 404, 'Path not found: @Shared/team/one');
    expect((await fetchBytes(world, recorded, 0, '', token)).status).toBe(404);
    const file = `/api/v1/executions/${recorded}/results/0/download?format=csv`;
    expectRefusal(await world.ask('GET', file, { token }), 404, 'Path not found: @Shared/team/one');
    expect((await world.ask('GET', file)).status).toBe(200);
  });

  it('stays readable when its script is deleted', async () => {
    const world = await createExecWorld();
    const token = await world.createUser('ada');
    await world.put('@Personal/one', 'SELECT 1', token);
    const started = expectAccepted(await world.script('@Personal/one', {}, { ...LATER, token }));
    await untilEnded(world, started, token);
    const removed = await world.ask('DELETE', '/api/v1/catalog/assets/@Personal/one', {
      token,
      headers: { 'if-match': '*' },
    });
    expect(removed.status).toBe(204);
    expect(rowsOf(await fetchResult(world, started, {}, 'GET', token))).toEqual([[1]]);
    expect(rowsOf(await fetchResult(world, started))).toEqual([[1]]);
  });

  it('is in a private file, which is deleted with it', async () => {
    const world = await createExecWorld();
    const done = await run(world, 'SELECT 42');
    const [file] = listResults(world);
    expect(statSync(file!).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(file!)).mode & 0o777).toBe(0o700);
    expect(readFileSync(file!, 'utf8')).toContain('42');
    const target = `/api/v1/executions/${done.id}`;
    expect((await world.ask('DELETE', target)).status).toBe(204);
    expect(existsSync(file!)).toBe(false);
    for (const [method, at] of [
      ['GET', target],
      ['GET', `${target}/result`],
      ['DELETE', target],
    ] as const) {
      expectRefusal(await world.ask(method, at), 404, `Execution not found: ${done.id}`);
    }
  });

  it('is deleted after its time', async () => {
    const world = await createExecWorld({ resultTtlMs: 300 });
    const started = expectAccepted(await world.sql('SELECT 1', {}, LATER));
    await eventually(async () =>
      expect((await world.ask('GET', `/api/v1/executions/${started.id}`)).status).toBe(404),
    );
    expect(listResults(world)).toEqual([]);
  });

  it('is limited in bytes: of one result, of one user, and of all', async () => {
    const results = { result: 1_000, perOwner: 1_500, total: 2_000 };
    const world = await createExecWorld({ results });
    const text = (length: number) => `SELECT repeat('x', ${length}) AS a`;
    const csv = { accept: 'text/csv' };
    const tooLarge = await run(world, 'SELECT range FROM range(100000)', csv);
    expect(tooLarge).toMatchObject({ state: 'failed', error: { status: 422 } });
    expectRefusal(await fetchResult(world, tooLarge), 422, expect.stringContaining('at most 1000 bytes'));
    const first = await run(world, text(900), csv);
    expect(first.state).toBe('done');
    const beyond = await run(world, text(901), csv);
    expectRefusal(await fetchResult(world, beyond), 422, expect.stringContaining('1500 bytes in total'));
    const token = await world.createUser('ada');
    const other = await world.sql(text(950), {}, { headers: { ...LATER.headers, ...csv }, token });
    await untilEnded(world, expectAccepted(other), token);
    const last = await run(world, text(500), csv);
    expectRefusal(await fetchResult(world, last), 422, expect.stringContaining('2000 bytes in total'));
    await world.ask('DELETE', `/api/v1/executions/${first.id}`);
    expect((await run(world, text(900), csv)).state).toBe('done');
  });

  it('that is too large leaves the publications of its execution known', async () => {
    const world = await createExecWorld({ results: { result: 1_000, perOwner: 1_500, total: 2_000 } });
    const content = `#+import "std/publication"
#+src sql A() #+meta { :publication { :type "table", :name "a" } } #+begin SELECT 1 AS id #+end
{{ publication.Run(blocks=[A]) }};
SELECT range FROM range(100000);`;
    const body = { what: 'run', path: 'x.sql', files: [{ path: 'x.sql', content }] };
    const connection = { name: 'duckdb' };
    const execution = expectAccepted(await world.exec('bundle', { ...body, connection }, LATER));
    const targets = [{ name: 'a', status: 'PUBLISHED', rows: 1 }];
    expect(await untilEnded(world, execution)).toMatchObject({ state: 'failed', targets });
    expect((await fetchResult(world, execution)).body).toMatchObject({ code: 'limit_exceeded', targets });
    expect(rowsOf(await world.sql('FROM a'))).toEqual([[1]]);
  });

  it('is limited in number for each user', async () => {
    const world = await createExecWorld({ limits: { perOwner: 1_000, queued: 1_000 } });
    for (let count = 0; count < 200; count += 1) expectAccepted(await world.sql('SELECT 1', {}, LATER));
    const refused = await world.sql('SELECT 1', {}, LATER);
    expectRefusal(refused, 429, expect.stringContaining('you already have 200 stored executions'));
    expect(refused.headers['retry-after']).toBe('5');
    expect(rowsOf(await world.sql('SELECT 1'))).toEqual([[1]]);
  });

  it.each(WITHDRAWALS)('is deleted when %s, and running executions are cancelled', async (_, change) => {
    const world = await createExecWorld();
    const token = await world.createUser('ada');
    const ended = expectAccepted(await world.sql('SELECT 1', {}, { ...LATER, token }));
    await untilEnded(world, ended);
    const running = expectAccepted(await world.sql(BUSY, {}, { ...LATER, token }));
    const other = await run(world, 'SELECT 2');
    expect((await change(world)).status).toBeLessThan(300);
    await eventually(async () => {
      const { body } = await world.ask('GET', '/api/v1/executions');
      expect((body as { data: Execution[] }).data.map(({ id }) => id)).toEqual([other.id]);
    });
    expect(listResults(world)).toHaveLength(1);
    for (const { id } of [ended, running]) {
      expect((await world.ask('GET', `/api/v1/executions/${id}/result`)).status).toBe(404);
    }
  });

  it('does not exist for a synchronous execution', async () => {
    const world = await createExecWorld();
    const waiting = world.sql(BUSY);
    const found = await eventually(async () => {
      const { body } = await world.ask('GET', '/api/v1/executions');
      const [first] = (body as { data: Execution[] }).data;
      expect(first).toMatchObject({ state: 'running', result: null });
      return first!;
    });
    expect((await fetchResult(world, found)).status).toBe(404);
    await world.ask('DELETE', `/api/v1/executions/${found.id}`);
    expect((await waiting).status).toBe(409);
  });
});
