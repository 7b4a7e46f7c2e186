import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createClient, send } from '../../support/http.ts';
import { createToken } from '../../support/server.ts';
import { eventually, waitUntil } from '../../support/waiting.ts';
import { begin, ENDLESS, listIds, run, serveHome, start } from './commands.ts';

const makeTable = (cwd: string) => run(cwd, 'sql', 'create table t (x int)');

/**
 * Writes numbers into a table over HTTP, one after another, until it is stopped; returns the acknowledged
 * ones.
 */
function write(url: string, token: string) {
  const acknowledged: number[] = [];
  const refused: string[] = [];
  let isOver = false;
  const insert = async (at: number) => {
    const { status, text } = await send(url, 'POST', '/api/v1/exec/sql', {
      headers: { authorization: `Bearer ${token}` },
      body: { sql: `insert into t values (${at})`, connection: { name: 'duckdb' } },
    });
    if (status === 200) acknowledged.push(at);
    else refused.push(text);
  };
  const writing = [0, 1, 2].map(async (own) => {
    for (let at = own; !isOver; at += 3) await insert(at);
  });
  return {
    acknowledged,
    refused,
    stop: async () => {
      isOver = true;
      await Promise.all(writing);
    },
  };
}

async function waitForMore(acknowledged: readonly number[]): Promise<void> {
  const enough = acknowledged.length + 20;
  await waitUntil(() => acknowledged.length > enough);
}

const readNumbers = async (cwd: string, home: string) => {
  const { stdout } = await run(cwd, '--home', home, 'sql', 'select x from t order by x', '--format', 'csv');
  return new Set(stdout.trim().split('\n').slice(1).map(Number));
};

/** Files that only a running server needs, the query log, and copies of the catalog. */
const LEFT_OUT = /^(?:serve\.(?:sock|lock.*)|server\.json|queries\.db.*|catalog\.db-(?:wal|shm))$/;

/** A script that publishes a file. */
function publishRows(file: string): string {
  const type = path.extname(file).slice(1);
  return `#+import "std/publication"
#+src sql Rows_${type}() #+meta { :publication { :type "${type}", :path "${file}" } }
#+begin SELECT 42 AS x #+end
{{ publication.Run(blocks=[Rows_${type}]) }};`;
}

describe('quern admin backup on a running server', () => {
  it('under load contains every acknowledged row, and refuses no request', async () => {
    const { cwd, url } = await serveHome(makeTable);
    const { acknowledged, refused, stop } = write(url, await createToken(cwd));
    const backups: { before: readonly number[]; home: string }[] = [];
    for (const name of ['a', 'b', 'c']) {
      await waitForMore(acknowledged);
      const before = [...acknowledged];
      expect(await run(cwd, 'admin', 'backup', `${name}.tar`)).toMatchObject({ exitCode: 0 });
      backups.push({ before, home: path.join(cwd, name) });
    }
    await waitForMore(acknowledged);
    await stop();
    expect(refused).toEqual([]);
    for (const { before, home } of backups) {
      await run(cwd, '--home', home, 'admin', 'restore', `${home}.tar`);
      const found = await readNumbers(cwd, home);
      expect(before.length).toBeGreaterThan(0);
      expect(before.filter((at) => !found.has(at))).toEqual([]);
    }
    const all = await readNumbers(cwd, path.join(cwd, '.quern'));
    expect(acknowledged.filter((at) => !all.has(at))).toEqual([]);
  });

  it('contains every kind of file that a server writes, and can be restored', async () => {
    const { cwd, url } = await serveHome(makeTable);
    const home = path.join(cwd, '.quern');
    const client = createClient(url, await createToken(cwd));
    for (const file of ['rows.csv', 'rows.parquet']) {
      const script = { path: `@Shared/publish-${path.extname(file)}`, connection: { name: 'duckdb' } };
      await client.make('assets', script.path, { content: publishRows(file) });
      expect((await client.send('POST', '/exec/script', { body: script })).status).toBe(200);
    }
    writeFileSync(path.join(home, 'files', 'given.csv'), 'x\n1\n');
    writeFileSync(path.join(home, 'config.toml'), '[server]\n');
    expect(await run(cwd, 'admin', 'backup', 'b.tar', '--with-key')).toMatchObject({ exitCode: 0 });
    const copy = path.join(cwd, 'copy');
    const restored = await run(cwd, '--home', copy, 'admin', 'restore', path.join(cwd, 'b.tar'));
    expect(restored).toMatchObject({ exitCode: 0 });
    // A new kind of file must be added to one of the two.
    const kept = readdirSync(copy);
    expect(readdirSync(home).filter((name) => !kept.includes(name) && !LEFT_OUT.test(name))).toEqual([]);
    for (const name of ['publish/rows.csv', 'publish/rows.parquet', 'files/given.csv']) {
      const read = (folder: string) => readFileSync(path.join(folder, name));
      expect(read(copy).equals(read(home)), name).toBe(true);
    }
  });

  it('runs two backups one after the other', async () => {
    const { cwd } = await serveHome(makeTable);
    await run(cwd, 'sql', 'from t');
    const both = await Promise.all(['a', 'b'].map((name) => run(cwd, 'admin', 'backup', `${name}.tar`)));
    expect(both.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  });

  it('waits for running executions, prints that, and fails after the time of --wait', async () => {
    const { cwd } = await serveHome(makeTable);
    const { ended, id } = await begin(cwd, ENDLESS);
    expect(await run(cwd, 'admin', 'backup', 'b.tar', '--wait', '2')).toEqual({
      exitCode: 5,
      stdout: '',
      stderr:
        'waiting for the executions on the server of this home to end, 2 s at most\n' +
        'error: after 2 s, 1 execution still runs on the server of this home. Nothing was backed up: see `quern ps`, and allow more time with --wait\n',
    });
    expect(readdirSync(cwd)).toEqual(['.quern']);
    const backup = start(cwd, ['admin', 'backup', 'b.tar']);
    await eventually(() => expect(backup.progress()).toContain('waiting for the executions'));
    const waiting = start(cwd, ['sql', 'select 1 as x']);
    await eventually(async () => expect((await run(cwd, 'ps')).stdout).toContain('queued'));
    await run(cwd, 'kill', id);
    expect((await ended).exitCode).toBe(1);
    expect(await backup.ended).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('wrote') });
    expect((await waiting.ended).stdout).toBe('x\n1\n');
  });

  it.each(['SIGINT', 'SIGKILL'] as const)('releases the files when it is ended by %s', async (signal) => {
    const { cwd } = await serveHome(makeTable);
    const { ended, id } = await begin(cwd, ENDLESS);
    const backup = start(cwd, ['admin', 'backup', 'b.tar']);
    await eventually(() => expect(backup.progress()).toContain('waiting for the executions'));
    const waiting = start(cwd, ['sql', 'select 1 as x']);
    await eventually(async () => expect((await run(cwd, 'ps')).stdout).toContain('queued'));
    backup.kill(signal);
    expect((await backup.ended).signal).toBe(signal);
    expect((await waiting.ended).stdout).toBe('x\n1\n');
    expect(await listIds(cwd)).toEqual([id]);
    await run(cwd, 'kill', id);
    await ended;
  });
});
