import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeHome, quern, writeFiles } from '../../support/quern.ts';

const bin = path.resolve(import.meta.dirname, '../../../bin/quern.js');
const hasTerminal = spawnSync('script', ['--version']).status === 0 && process.platform === 'linux';
const LASTING = 'SELECT count(*) FROM range(1000000000) a, range(1000000) b;';

/** Keys to type after a text has appeared on the screen, after the previous text. */
type Step = readonly [seen: string, keys: string];

/** Runs a session on a terminal; returns the screen without control sequences, and the exit code. */
async function runSession(
  cwd: string,
  steps: readonly Step[],
  args = 'repl',
): Promise<{ screen: string; code: number | null }> {
  const command = `stty rows 50 cols 100; exec "${process.execPath}" "${bin}" ${args}`;
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd,
    env: { ...process.env, HOME: cwd, QUERN_HOME: '', NO_COLOR: '1', PAGER: 'cat' },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let screen = '';
  let from = 0;
  const left = [...steps];
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: sequences that move the cursor
    screen += part.replaceAll(/\u001b\[[\d;?]*[A-Za-z]/g, '').replaceAll('\r\n', '\n');
    for (const [seen, keys] of left.splice(0)) {
      const at = screen.indexOf(seen, from);
      // The rest waits for the next part of the screen.
      if (at === -1 || left.length > 0) left.push([seen, keys]);
      else {
        from = at + seen.length;
        child.stdin.write(keys);
      }
    }
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { screen, code };
}

describe.skipIf(!hasTerminal)('quern repl', () => {
  it('runs statements over several lines, until Ctrl-D', async () => {
    const cwd = await makeHome();
    const { screen, code } = await runSession(cwd, [
      ['duckdb> ', 'SELECT 6 * 7\r'],
      ['     -> ', 'AS answer;\r'],
      ['1 row', ''],
      ['duckdb> ', '\u0004'],
    ]);
    expect(screen).toContain('│     42 │');
    expect(code).toBe(0);
  });

  it('completes the running statement after Ctrl-D', async () => {
    const { screen, code } = await runSession(await makeHome(), [
      ['duckdb> ', 'SELECT 6 * 7 AS answer;\r\u0004'],
    ]);
    expect(screen).toContain('│     42 │');
    expect(code).toBe(0);
  });

  it('starts with `quern sql` without SQL, with its options', async () => {
    const { screen } = await runSession(
      await makeHome(),
      [
        ['duckdb> ', 'SELECT 1 AS a;\r'],
        ['a\n1\n', ''],
        ['duckdb> ', '.quit\r'],
      ],
      'sql --format csv',
    );
    expect(screen).toContain('a\n1\n');
  });

  it('reports an error with its position, and continues', async () => {
    const { screen, code } = await runSession(await makeHome(), [
      ['duckdb> ', 'SELECT * FROM nothing;\r'],
      ['sql:1:15: error', ''],
      ['duckdb> ', '.nope\r'],
      ['unknown command `.nope`; .help lists the commands', ''],
      ['duckdb> ', '.quit\r'],
    ]);
    expect(screen).toContain('nothing does not exist');
    expect(code).toBe(0);
  });

  it('cancels a running statement with Ctrl-C, or clears the line', async () => {
    const { screen, code } = await runSession(await makeHome(), [
      ['duckdb> ', `${LASTING}\r`],
      ['running SQL', '\u0003'],
      ['cancelled', ''],
      ['duckdb> ', 'half a line'],
      ['half a line', '\u0003'],
      ['^C\n', "SELECT 'alive' AS state;\r"],
      ['alive │', '\u0004'],
    ]);
    expect(screen).toContain('│ alive │');
    expect(code).toBe(0);
  });

  it('lists tables and columns, and completes their names', async () => {
    const cwd = await makeHome();
    await quern(['sql', 'CREATE TABLE lighthouses (height INTEGER)'], { cwd });
    const { screen } = await runSession(cwd, [
      ['duckdb> ', '.tables\r'],
      ['1 row', ''],
      ['duckdb> ', '.schema lighthouses\r'],
      ['INTEGER', ''],
      ['duckdb> ', 'SELECT * FROM light\t'],
      ['lighthouses', ' LIMIT 0;\r'],
      ['0 rows', '\u0004'],
    ]);
    expect(screen).toContain('BASE TABLE');
    expect(screen).toContain('│ height │');
  });

  it('changes connection, format and timer, and reads a file', async () => {
    const cwd = await makeHome();
    await quern(['connection', 'create', 'other', '--kind', 'duckdb', '--set', 'file=other.duckdb'], { cwd });
    writeFiles(cwd, { 'two.sql': 'SELECT 2 AS two' });
    const { screen } = await runSession(cwd, [
      ['duckdb> ', '.format json\r'],
      ['format json', ''],
      ['duckdb> ', '.timer on\r'],
      ['timer on', ''],
      ['duckdb> ', '.connection other\r'],
      ['other> ', '.read two.sql\r'],
      ['"data":[[2]]', ''],
      [' s\n', ''],
      ['other> ', '.read none.sql\r'],
      ['none.sql', ''],
      ['other> ', '.quit\r'],
    ]);
    expect(screen).toContain('"data":[[2]]');
    expect(screen).toMatch(/^\d+\.\d{3} s$/m);
  });

  it('keeps the history in a file that only the user can read', async () => {
    const cwd = await makeHome();
    await runSession(cwd, [
      ['duckdb> ', 'SELECT 1;\r'],
      ['1 row', '\u0004'],
    ]);
    const file = path.join(cwd, '.quern_history');
    expect(readFileSync(file, 'utf8')).toBe('SELECT 1;\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { screen } = await runSession(cwd, [
      ['duckdb> ', '\u001b[A'],
      ['SELECT 1;', '\r'],
      ['1 row', '\u0004'],
    ]);
    expect(screen).toContain('1 row');
  });

  it('needs a terminal', async () => {
    expect(await quern(['repl'], { cwd: await makeHome() })).toMatchObject({
      exitCode: 2,
      stderr: 'error: a session needs a terminal; to run SQL from a pipe, use `quern sql -`\n',
    });
  });
});
