import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeFolder, makeHome } from '../../support/quern.ts';
import { eventually } from '../../support/waiting.ts';

const bin = path.resolve(import.meta.dirname, '../../../bin/quern.js');
const hasTerminal = spawnSync('script', ['--version']).status === 0 && process.platform === 'linux';

/** Runs the command line on a terminal, types `keys` (in printf's notation) and returns the screen. */
function onTerminal(
  args: string,
  keys: readonly string[],
  cwd: string,
): { screen: string; code: number | null } {
  const command = `${process.execPath} ${bin} ${args}`;
  // The keys are typed with pauses: a prompt discards keys that were typed before it appeared.
  const typing = keys.map((part) => `sleep 1; printf '${part}'; `).join('');
  const shell = `(${typing} sleep 1) | script -qec "stty cols 60; exec ${command}" /dev/null`;
  const { stdout, status } = spawnSync('bash', ['-c', `set -o pipefail; ${shell}`], {
    cwd,
    env: { ...process.env, HOME: cwd, QUERN_HOME: '', QUERN_ADMIN_PASSWORD: '', PAGER: 'cat' },
  });
  return { screen: stdout.toString(), code: status };
}

describe.skipIf(!hasTerminal)('on a terminal', () => {
  it('asks for a password until it is valid and repeated correctly', () => {
    const cwd = makeFolder();
    const { screen, code } = onTerminal(
      'init --empty',
      ['short\\r', '\\025correct horse\\r', 'correct horse\\r'],
      cwd,
    );
    expect(screen).toContain('a password needs at least 8 characters');
    expect(screen).not.toContain('correct');
    expect(code).toBe(0);
    expect(readFileSync(path.join(cwd, '.quern/catalog.db'), 'latin1')).toContain('$argon2id$');
  });

  it.each([
    ['Ctrl-C', '\\003'],
    ['Ctrl-D', '\\004'],
  ])('is interrupted by %s at a prompt, and nothing is created', (_, keys) => {
    const cwd = makeFolder();
    const { screen, code } = onTerminal('init', [keys], cwd);
    expect(screen).toContain('interrupted; nothing was done');
    expect(code).toBe(130);
    expect(readdirSync(cwd)).toEqual([]);
  });

  it.each([
    ['\\r', 'ended 1 personal access token', ''],
    ['n\\r', 'can still be used, even if revoked later', 'ci'],
  ])('asks whether the tokens of a backup end, which Enter confirms: %j', (keys, expected, left) => {
    const cwd = makeFolder();
    onTerminal('init --empty', ['\\r'], cwd);
    onTerminal('token create --name ci', [], cwd);
    onTerminal('admin backup b.tar', [], cwd);
    const { screen, code } = onTerminal('--home copy admin restore b.tar', [keys], cwd);
    expect(code).toBe(0);
    expect(screen.replaceAll(/\s+/g, ' ')).toContain(expected);
    expect(onTerminal('--home copy token ls', [], cwd).screen).toContain(left);
  });

  it('shows what runs, with the rows and bytes so far, while a long result is written', async () => {
    const cwd = await makeHome();
    const command = `exec ${process.execPath} ${bin} sql 'SELECT * FROM range(100000000000)' > /dev/null`;
    const child = spawn('script', ['-qec', command, '/dev/null'], {
      cwd,
      env: { ...process.env, QUERN_HOME: '' },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let screen = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      screen += part;
    });
    await eventually(() => expect(screen).toMatch(/\d+\.\d s {2}SQL {2}\d{1,3}(,\d{3})* rows {2}\d+\.\d MB/));
    child.stdin.write('\u0003');
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(130);
  });

  it('shows a table of at most 100 rows, cut to the width', () => {
    const cwd = makeFolder();
    onTerminal('init --empty', ['\\r'], cwd);
    writeFileSync(path.join(cwd, 'q.sql'), "select range as n, repeat('long ', 30) as text from range(250)");
    const { screen } = onTerminal('sql @q.sql', [], cwd);
    const lines = screen.trimEnd().split(/\r?\n/);
    expect(lines.at(-1)).toBe('100 of 250 rows, 150 more');
    expect(lines.filter((line) => /^│ +\d+ │/.test(line))).toHaveLength(100);
    expect(lines.filter((line) => [...line].length > 60)).toEqual([]);
  });

  it('shows control characters in rows, names and messages as symbols, in every format', async () => {
    const cwd = makeFolder();
    onTerminal('init --empty', ['\\r'], cwd);
    const text = "chr(155) || '2J' || chr(8238) || 'abc' || chr(27) || ']0;t' || chr(7)";
    writeFileSync(path.join(cwd, 'q.sql'), `SELECT ${text} AS "n\u009bame"`);
    const shown = '\ufffd2J\ufffdabc␛]0;t␇';
    for (const format of ['table', 'csv', 'json', 'markdown']) {
      const { screen } = onTerminal(`sql @q.sql --format ${format}`, [], cwd);
      expect(screen.replaceAll(/\s/g, ''), format).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
      expect(screen, format).toContain('\ufffd2J\ufffdabc');
      if (format === 'csv') expect(screen).toContain(shown);
    }
    writeFileSync(path.join(cwd, 'a\u009bb.sql'), 'SELECT 1');
    expect(onTerminal('catalog put a*.sql @Shared/a\u009bb', [], cwd).screen).not.toMatch(/[\x80-\x9f]/);
    expect(onTerminal('catalog ls @Shared', [], cwd).screen).not.toMatch(/[\x80-\x9f]/);
    const piped = spawnSync(process.execPath, [bin, 'sql', '@q.sql', '--format', 'csv'], { cwd });
    expect(piped.stdout.toString()).toContain('\u009b2J\u202eabc\u001b]0;t\u0007');
  });
});
