import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeFolder, makeHome } from '../../support/quern.ts';
import { hasTerminal, type Typing, typeOnTerminal } from '../../support/type-on-terminal.ts';
import { eventually } from '../../support/waiting.ts';

const bin = path.resolve(import.meta.dirname, '../../../bin/quern.js');

/** The prompt for the administrator's password. */
const PASSWORD = 'Password for the web console';

/** Runs the command line on a terminal, types keys after prompts, and returns the screen. */
function onTerminal(args: string, typing: Typing, cwd: string) {
  const env = { QUERN_ADMIN_PASSWORD: '', PAGER: 'cat' };
  return typeOnTerminal(`${process.execPath} ${bin} ${args}`, { cwd, env, columns: 60 }, typing);
}

/** Creates a home whose administrator has no password. */
async function createHome(cwd: string): Promise<void> {
  await onTerminal('init --empty', [[PASSWORD, '\r']], cwd);
}

describe.skipIf(!hasTerminal)('on a terminal', () => {
  it('asks for a password until it is valid and repeated correctly', async () => {
    const cwd = makeFolder();
    const typing: Typing = [
      [PASSWORD, 'short\r'],
      ['at least 8 characters', '\x15correct horse\r'],
      ['Again:', 'correct horse\r'],
    ];
    const { screen, code } = await onTerminal('init --empty', typing, cwd);
    expect(screen).toContain('a password needs at least 8 characters');
    expect(screen).not.toContain('correct');
    expect(code).toBe(0);
    expect(readFileSync(path.join(cwd, '.quern/catalog.db'), 'latin1')).toContain('$argon2id$');
  });

  it.each([
    ['Ctrl-C', '\x03'],
    ['Ctrl-D', '\x04'],
  ])('is interrupted by %s at a prompt, and nothing is created', async (_, keys) => {
    const cwd = makeFolder();
    const { screen, code } = await onTerminal('init', [[PASSWORD, keys]], cwd);
    expect(screen).toContain('interrupted; nothing was done');
    expect(code).toBe(130);
    expect(readdirSync(cwd)).toEqual([]);
  });

  it.each([
    ['\r', 'ended 1 personal access token', ''],
    ['n\r', 'can still be used, even if revoked later', 'ci'],
  ])('asks whether the tokens of a backup end, which Enter confirms: %j', async (keys, expected, left) => {
    const cwd = makeFolder();
    await createHome(cwd);
    await onTerminal('token create --name ci', [], cwd);
    await onTerminal('admin backup b.tar', [], cwd);
    const typing: Typing = [['(Y/n)', keys]];
    const { screen, code } = await onTerminal('--home copy admin restore b.tar', typing, cwd);
    expect(code).toBe(0);
    expect(screen.replaceAll(/\s+/g, ' ')).toContain(expected);
    expect((await onTerminal('--home copy token ls', [], cwd)).screen).toContain(left);
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

  it('shows a table of at most 100 rows, cut to the width', async () => {
    const cwd = makeFolder();
    await createHome(cwd);
    writeFileSync(path.join(cwd, 'q.sql'), "select range as n, repeat('long ', 30) as text from range(250)");
    const { screen } = await onTerminal('sql @q.sql', [], cwd);
    const lines = screen.trimEnd().split(/\r?\n/);
    expect(lines.at(-1)).toBe('100 of 250 rows, 150 more');
    expect(lines.filter((line) => /^│ +\d+ │/.test(line))).toHaveLength(100);
    expect(lines.filter((line) => [...line].length > 60)).toEqual([]);
  });

  it('shows control characters in rows, names and messages as symbols, in every format', async () => {
    const cwd = makeFolder();
    await createHome(cwd);
    const text = "chr(155) || '2J' || chr(8238) || 'abc' || chr(27) || ']0;t' || chr(7)";
    writeFileSync(path.join(cwd, 'q.sql'), `SELECT ${text} AS "n\u009bame"`);
    const shown = '\ufffd2J\ufffdabc␛]0;t␇';
    for (const format of ['table', 'csv', 'json', 'markdown']) {
      const { screen } = await onTerminal(`sql @q.sql --format ${format}`, [], cwd);
      expect(screen.replaceAll(/\s/g, ''), format).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
      expect(screen, format).toContain('\ufffd2J\ufffdabc');
      if (format === 'csv') expect(screen).toContain(shown);
    }
    writeFileSync(path.join(cwd, 'a\u009bb.sql'), 'SELECT 1');
    for (const args of ['catalog put a*.sql @Shared/a\u009bb', 'catalog ls @Shared'])
      expect((await onTerminal(args, [], cwd)).screen).not.toMatch(/[\x80-\x9f]/);
    const piped = spawnSync(process.execPath, [bin, 'sql', '@q.sql', '--format', 'csv'], { cwd });
    expect(piped.stdout.toString()).toContain('\u009b2J\u202eabc\u001b]0;t\u0007');
  });
});
