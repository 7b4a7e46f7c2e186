import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder, makeHome, quern } from '../../support/quern.ts';
import { waitUntil } from '../../support/waiting.ts';

const bin = path.resolve(import.meta.dirname, '../../../bin/quern.js');

async function run(cwd: string, ...args: string[]) {
  const { exitCode, stdout, stderr } = await quern(args, { cwd });
  return { exitCode, stdout: String(stdout), stderr: String(stderr) };
}

describe('quern admin backup and restore', () => {
  it('move a home to another place', async () => {
    const cwd = await makeHome();
    await quern(['catalog', 'put', '-', '@Shared/q'], { cwd, input: 'SELECT x FROM t' });
    await run(cwd, 'sql', 'CREATE TABLE t AS SELECT 42 AS x');
    const token = (await run(cwd, 'token', 'create', '--name', 'ci')).stdout;
    const made = await run(cwd, 'admin', 'backup', 'b.tar', '--json');
    expect({ ...made, stdout: JSON.parse(made.stdout) }).toMatchObject({
      exitCode: 0,
      stderr: '',
      stdout: { target: path.join(cwd, 'b.tar'), items: 4, users: 1, databases: 1, with_key: false },
    });
    const home = path.join(makeFolder(), 'new');
    expect(await run(cwd, '--home', home, 'admin', 'restore', 'b.tar')).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: expect.stringMatching(
        /^restored .*: 4 items, 1 user, 1 connection, 1 database, 0 files\n1 personal access token of the backup can still be used.*`--end-tokens` revokes all\n$/,
      ),
    });
    expect((await run(cwd, '--home', home, 'exec', '@Shared/q')).stdout).toBe('x\n42\n');
    const listed = (await run(cwd, '--home', home, 'token', 'ls')).stdout;
    expect(listed).toContain(token.slice(0, 8));
    const again = await run(cwd, '--home', home, 'admin', 'restore', 'b.tar', '--force', '--json');
    expect(existsSync(JSON.parse(again.stdout).moved_to)).toBe(true);
    const ended = await run(cwd, '--home', home, 'admin', 'restore', 'b.tar', '--force', '--end-tokens');
    expect(ended).toMatchObject({
      exitCode: 0,
      stderr: expect.stringMatching(/\nended 1 personal access token\n$/),
    });
    expect((await run(cwd, '--home', home, 'token', 'ls')).stdout).toBe('');
  });

  it.each([
    ['backup', 1, /^error: there is a file .*b\.tar already: name another, or add --force/],
    ['restore', 1, /^error: there is something in .*\.quern already: name another home/],
  ])('%s replaces nothing unless requested', async (command, code, message) => {
    const cwd = await makeHome();
    await run(cwd, 'admin', 'backup', 'b.tar');
    expect(await run(cwd, 'admin', command, 'b.tar')).toEqual({
      exitCode: code,
      stdout: '',
      stderr: expect.stringMatching(message),
    });
  });

  it.each([
    [['backup', 'b.tar'], 2, 'error: no home in '],
    [['restore', 'none.tar'], 1, 'error: cannot read none.tar: there is no such file\n'],
    [['restore', 'text'], 1, 'cannot be restored, and nothing was changed: it is not a tar file'],
    [['backup', 'b.tar', '--as', 'ada'], 2, 'error: '],
  ])('refuse %j', async (args, exitCode, message) => {
    const cwd = makeFolder();
    writeFileSync(path.join(cwd, 'text'), 'hello');
    const result = await run(cwd, '--home', path.join(cwd, 'home'), 'admin', ...args);
    expect(result).toMatchObject({ exitCode, stdout: '', stderr: expect.stringContaining(message) });
    expect(readdirSync(cwd)).toEqual(['text']);
  });

  it('refuse a user to act as', async () => {
    const cwd = await makeHome();
    expect(await run(cwd, '--as', 'admin', 'admin', 'backup', 'b.tar')).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: 'error: this command works on the files of the home: omit --as\n',
    });
  });

  it('end with 5 while a query runs in another process', async () => {
    const cwd = await makeHome();
    await run(cwd, 'sql', 'CREATE TABLE t AS SELECT 1 AS x');
    const started = path.join(cwd, 'started.csv');
    const query = `COPY t TO '${started}';
      SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE a.range + b.range = -1`;
    const other = spawn(process.execPath, [bin, 'sql', query], {
      cwd,
      stdio: 'ignore',
      env: { ...process.env, QUERN_HOME: path.join(cwd, '.quern') },
    });
    try {
      await waitUntil(() => existsSync(started) || other.exitCode !== null);
      const refused = await run(cwd, 'admin', 'backup', 'b.tar');
      expect(refused).toMatchObject({ exitCode: 5, stdout: '' });
      expect(refused.stderr).toContain(`(PID ${other.pid})`);
      const checked = await run(cwd, 'admin', 'check');
      expect(checked).toMatchObject({
        exitCode: 0,
        stdout: expect.stringMatching(/^ok {6}db\/main\.duckdb .* in use by another process/m),
      });
      const made = await run(cwd, '--home', 'other', 'init', '--empty', '.');
      expect(made.exitCode).toBe(0);
      await run(cwd, '--home', 'other', 'admin', 'backup', 'other.tar');
      const restored = await run(cwd, 'admin', 'restore', 'other.tar', '--force');
      expect(restored).toMatchObject({
        exitCode: 5,
        stderr: expect.stringMatching(/is locked by|in use by another process/),
      });
    } finally {
      if (other.exitCode === null) {
        other.kill('SIGKILL');
        await once(other, 'exit');
      }
    }
  });

  it('leave nothing behind after an interruption', async () => {
    const cwd = await makeHome();
    const big = path.join(cwd, '.quern', 'files', 'big');
    writeFileSync(big, '');
    truncateSync(big, 4 * 1024 ** 3);
    const child = spawn(process.execPath, [bin, 'admin', 'backup', 'b.tar'], {
      cwd,
      env: { ...process.env, QUERN_HOME: path.join(cwd, '.quern') },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const printed: Buffer[] = [];
    child.stderr.on('data', (bytes: Buffer) => printed.push(bytes));
    await waitUntil(() => readdirSync(cwd).some((name) => name.startsWith('.quern-')));
    child.kill('SIGINT');
    const [code, signal] = await once(child, 'exit');
    expect({ code, signal, printed: Buffer.concat(printed).toString() }).toEqual({
      code: null,
      signal: 'SIGINT',
      printed: '',
    });
    expect(readdirSync(cwd)).toEqual(['.quern']);
    expect(readdirSync(path.join(cwd, '.quern', 'tmp'))).toEqual([]);
  });
});

describe('quern admin check', () => {
  it('prints findings as lines or as a record', async () => {
    const cwd = await makeHome();
    const { exitCode, stdout } = await run(cwd, 'admin', 'check', '--json');
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout).checks).toContainEqual({
      name: 'catalog',
      ok: true,
      seen: 'items 3, users 1, connections 1',
    });
    writeFileSync(path.join(cwd, '.quern', 'db', 'main.duckdb'), 'no database at all');
    expect(await run(cwd, 'admin', 'check')).toMatchObject({
      exitCode: 1,
      stdout: expect.stringMatching(/^problem db\/main\.duckdb .*is not a DuckDB database/m),
    });
    expect((await run(cwd, '--home', 'none', 'admin', 'check')).exitCode).toBe(1);
  });
});
