import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeHome } from '../../support/quern.ts';
import { serve } from '../../support/server.ts';
import { eventually, waitUntil } from '../../support/waiting.ts';
import { begin, ENDLESS, listIds, run, serveHome, start } from './commands.ts';

const cancelled = { exitCode: 1, stdout: '', stderr: 'error: the execution was cancelled\n' };

describe('quern ps and quern kill', () => {
  it('show and end running executions', async () => {
    const { cwd } = await serveHome();
    writeFileSync(path.join(cwd, 'q.sql'), ENDLESS);
    await run(cwd, 'catalog', 'put', 'q.sql', '@Shared/endless');
    const { ended, id } = await begin(cwd, ENDLESS);
    const script = start(cwd, ['exec', '@Shared/endless']);
    await eventually(async () => expect(await listIds(cwd)).toHaveLength(2));
    const [first, second] = JSON.parse((await run(cwd, 'ps', '--json')).stdout).data;
    expect(first).toEqual({
      id,
      user: 'admin',
      connection: 'duckdb',
      name: 'sql',
      state: 'running',
      is_queued_by_database: false,
      requested_at: expect.stringMatching(/^\d{4}-.*Z$/),
      started_at: expect.stringMatching(/^\d{4}-.*Z$/),
      bytes: 0,
      progress: null,
    });
    expect(second.name).toBe('@Shared/endless');
    expect((await run(cwd, 'ps')).stdout).toMatch(
      new RegExp(
        `^${id}  running  admin  duckdb  sql +\\S+Z  0 bytes\n${second.id}  running .*/endless .*\n$`,
      ),
    );
    expect(await run(cwd, 'kill', id)).toEqual({ exitCode: 0, stdout: '', stderr: `cancelled ${id}\n` });
    expect(await ended).toMatchObject(cancelled);
    await run(cwd, 'kill', second.id);
    expect(await script.ended).toMatchObject(cancelled);
    expect(await run(cwd, 'ps')).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    expect(await run(cwd, 'kill', id)).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `error: Execution not found: ${id}\n`,
    });
  });

  it("show and end only the user's own executions, unless the user is an administrator", async () => {
    const { cwd } = await serveHome((home) => run(home, 'user', 'create', 'ada', '--role', 'VIEWER'));
    const { ended, id } = await begin(cwd, ENDLESS);
    expect(await run(cwd, '--as', 'ada', 'ps')).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    expect(await run(cwd, '--as', 'ada', 'kill', id)).toMatchObject({ exitCode: 1 });
    expect(await listIds(cwd)).toEqual([id]);
    const hers = await begin(cwd, ENDLESS, '--as', 'ada');
    expect((await run(cwd, '--as', 'ada', 'ps')).stdout).toMatch(/^\S+ {2}running {2}ada .*\n$/);
    expect((await run(cwd, 'ps')).stdout.split('\n')).toHaveLength(3);
    await run(cwd, 'kill', id);
    await run(cwd, '--as', 'ada', 'kill', hers.id);
    expect([await ended, await hers.ended]).toMatchObject([cancelled, cancelled]);
  });

  it('report that no server runs', async () => {
    const cwd = await makeHome();
    const none = 'no server runs on this home\n';
    expect(await run(cwd, 'ps')).toEqual({ exitCode: 0, stdout: '', stderr: none });
    expect(await run(cwd, 'ps', '--json')).toEqual({ exitCode: 0, stdout: '{"data":[]}\n', stderr: none });
    expect(await run(cwd, 'kill', 'x')).toEqual({ exitCode: 5, stdout: '', stderr: `error: ${none}` });
  });
});

describe('a command that runs on the server', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)('ends there when it is ended by %s', async (signal) => {
    const { cwd } = await serveHome();
    const { kill, ended } = await begin(cwd, ENDLESS, '--output', 'out.csv');
    kill(signal);
    expect(await ended).toMatchObject({ signal, stdout: '', stderr: '' });
    await eventually(async () => expect(await listIds(cwd)).toEqual([]));
    if (signal !== 'SIGKILL') expect(readdirSync(cwd)).toEqual(['.quern']);
    expect((await run(cwd, 'sql', 'select 1 as x')).stdout).toBe('x\n1\n');
  });

  it('gets an error when the server is killed', async () => {
    const server = await serveHome((cwd) => run(cwd, 'sql', 'create table t as select 1 as x'));
    const { cwd } = server;
    const { ended } = await begin(cwd, ENDLESS, '--output', 'out.csv');
    await server.kill();
    expect(await ended).toMatchObject({
      exitCode: 5,
      stdout: '',
      stderr: 'error: the server on this home ended during the execution; run it again\n',
    });
    expect(readdirSync(cwd)).toEqual(['.quern']);
    expect(existsSync(path.join(cwd, '.quern', 'serve.sock'))).toBe(true);
    await eventually(async () => expect((await run(cwd, 'sql', 'from t')).stdout).toBe('x\n1\n'));
    expect((await run(cwd, 'ps')).stderr).toBe('no server runs on this home\n');
    const next = await serve(cwd);
    onTestFinished(() => next.kill());
    expect(await run(cwd, 'ps')).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  });

  it('gets an error when the server is stopped', async () => {
    const server = await serveHome();
    const { cwd } = server;
    const { ended } = await begin(cwd, ENDLESS);
    expect(await server.stop()).toBe(0);
    expect(await ended).toMatchObject({
      exitCode: 5,
      stdout: '',
      stderr: 'error: the server on this home was stopped; run it again\n',
    });
    expect(
      readdirSync(path.join(cwd, '.quern')).filter((name) => /^\.?serve[.-](?!lock)/.test(name)),
    ).toEqual([]);
  });

  it('gets its result or an error while servers start and stop', async () => {
    const cwd = await makeHome();
    await run(cwd, 'sql', 'create table t (x int)');
    let isOver = false;
    const seen: string[] = [];
    const ask = async () => {
      while (!isOver) {
        const { exitCode, stdout, stderr } = await run(cwd, 'sql', 'select count(*) as n from t');
        seen.push(exitCode === 0 ? stdout : `${exitCode} ${stderr}`);
      }
    };
    const asking = [ask(), ask()];
    for (let round = 0; round < 3; round++) {
      const server = await serve(cwd);
      const enough = seen.length + 2;
      await waitUntil(() => seen.length >= enough);
      await (round === 1 ? server.kill() : server.stop());
    }
    isOver = true;
    await Promise.all(asking);
    const known =
      /^n\n0\n$|^5 error: (?:the server on this home (?:ended during the execution|was stopped); run it again|The database file .* is in use by another process.*)\n$/;
    expect(seen.filter((text) => !known.test(text))).toEqual([]);
    expect(seen.filter((text) => text === 'n\n0\n').length).toBeGreaterThan(2);
  });
});
