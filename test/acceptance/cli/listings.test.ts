import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeHome, quern, writeFiles } from '../../support/quern.ts';

const bin = path.resolve(import.meta.dirname, '../../../bin/quern.js');
const hasTerminal = spawnSync('script', ['--version']).status === 0 && process.platform === 'linux';
const MINUTE = /\d{4}-\d{2}-\d{2} \d{2}:\d{2}/;

/** The screen of a command on a terminal of 10 lines and 60 columns. */
function onTerminal(line: string, cwd: string, env: Readonly<Record<string, string>> = {}): string {
  const command = `stty rows 10 cols 60 -onlcr; exec ${process.execPath} ${bin} ${line}`;
  const { stdout } = spawnSync('script', ['-qec', command, '/dev/null'], {
    cwd,
    env: { ...process.env, HOME: cwd, QUERN_HOME: '', PAGER: 'cat', ...env },
  });
  return stdout.toString();
}

describe.skipIf(!hasTerminal)('a listing on a terminal', () => {
  it('has a header, which piped output does not have', async () => {
    const cwd = await makeHome();
    expect(onTerminal('connection ls', cwd)).toMatch(/^NAME +KIND +DESCRIPTION\nduckdb +duckdb/);
    expect((await quern(['connection', 'ls'], { cwd })).stdout).toMatch(/^duckdb +duckdb/);
    expect(onTerminal('user ls', cwd)).toMatch(/^NAME +ROLE +E-MAIL +DISPLAY NAME\nadmin/);
    expect(onTerminal('admin audit', cwd)).toMatch(/^TIME +ACTOR +ACTION +RESULT +OBJECT +ADDRESS\n/);
    expect(onTerminal('group ls', cwd)).toBe('');
  });

  it('shows short times in the time zone of the user, or in UTC on request', async () => {
    const cwd = await makeHome();
    await quern(['token', 'create', '--name', 'ci', '--expires', '2999-01-31'], { cwd });
    const env = { TZ: 'Asia/Tokyo' };
    expect(onTerminal('token ls', cwd, env)).toContain('2999-01-31 09:00  never');
    expect(onTerminal('token ls --utc', cwd, env)).toContain('2999-01-31 00:00Z  never');
    expect((await quern(['token', 'ls'], { cwd, env })).stdout).toContain('expires 2999-01-31T00:00:00.000Z');
    expect(onTerminal('catalog ls --long', cwd)).toMatch(MINUTE);
  });
});

describe.skipIf(!hasTerminal)('a table on a terminal', () => {
  const wide = `sql "SELECT ${Array.from({ length: 20 }, (_, i) => `${i} AS column_${i}`).join(', ')}"`;

  it('is paged if it is larger than the screen, and complete there', async () => {
    const cwd = await makeHome();
    writeFiles(cwd, { pager: '#!/bin/sh\necho PAGED\nexec cat\n' });
    chmodSync(path.join(cwd, 'pager'), 0o755);
    const env = { PAGER: './pager' };
    const paged = onTerminal(wide, cwd, env);
    expect(paged).toMatch(/^PAGED\n/);
    expect(paged).toContain('column_19');
    expect(onTerminal('sql "FROM range(50)"', cwd, env)).toMatch(/^PAGED\n/);
    expect(onTerminal('sql "SELECT 1 AS one"', cwd, env)).not.toContain('PAGED');
  });

  it('is not paged with --no-pager or an empty PAGER, and hides columns that do not fit', async () => {
    const cwd = await makeHome();
    writeFiles(cwd, { pager: '#!/bin/sh\necho PAGED\nexec cat\n' });
    chmodSync(path.join(cwd, 'pager'), 0o755);
    for (const [line, PAGER] of [
      [`${wide} --no-pager`, './pager'],
      [wide, ''],
    ] as const) {
      const screen = onTerminal(line, cwd, { PAGER });
      expect(screen).not.toContain('PAGED');
      expect(screen).toMatch(/1 row; \d of 20 columns\n$/);
    }
  });

  it('is printed if the pager cannot be started', async () => {
    const screen = onTerminal('sql "FROM range(50)"', await makeHome(), { PAGER: 'no-such-pager' });
    expect(screen).toContain('50 rows');
  });
});

describe('--expanded', () => {
  it('prints each row as lines of column and value', async () => {
    const cwd = await makeHome();
    const sql = "SELECT * FROM (VALUES (1, 'Ann'), (NULL, 'NULL')) t(id, \"first name\")";
    expect((await quern(['sql', sql, '--expanded'], { cwd })).stdout).toBe(
      [
        '─ row 1 ──────────',
        'id         │ 1',
        'first name │ Ann',
        '─ row 2 ──────────',
        'id         │ NULL',
        'first name │ "NULL"',
        '2 rows',
        '',
      ].join('\n'),
    );
  });

  it.each([
    ['-f csv', '--format csv'],
    ['-o a.csv', '--output a.csv'],
    ['-o a', '--output a'],
  ])('is refused with %s', async (given, shown) => {
    const cwd = await makeHome();
    const { exitCode, stderr } = await quern(['sql', 'SELECT 1', '-x', ...given.split(' ')], { cwd });
    expect({ exitCode, stderr, files: readdirSync(cwd).filter((file) => file.startsWith('a')) }).toEqual({
      exitCode: 2,
      stderr: `error: --expanded and ${shown} contradict each other\n`,
      files: [],
    });
  });
});
