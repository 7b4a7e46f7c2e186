import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeFolder, makeHome, quern } from '../../support/quern.ts';

const bin = path.resolve(import.meta.dirname, '../../../bin/quern.js');
const hasTerminal = spawnSync('script', ['--version']).status === 0 && process.platform === 'linux';

/** Runs a command, expects success, and returns its output. */
async function run(cwd: string, line: string, input = ''): Promise<{ stdout: string; stderr: string }> {
  const { exitCode, stdout, stderr } = await quern(line.split(' '), { cwd, input });
  expect(exitCode, `${line}: ${stderr}`).toBe(0);
  return { stdout: String(stdout), stderr: String(stderr) };
}

async function list(cwd: string, options = ''): Promise<Record<string, unknown>[]> {
  const { stdout } = await run(cwd, `admin audit --json${options}`);
  return JSON.parse(stdout).data;
}

/**
 * Runs a command on a terminal and types each answer after its prompt has appeared. Returns the screen and
 * the exit code.
 */
async function onTerminal(
  cwd: string,
  args: string,
  answers: readonly (readonly [question: string, keys: string])[],
): Promise<{ screen: string; code: number | null }> {
  const command = `stty cols 200; exec "${process.execPath}" "${bin}" ${args}`;
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd,
    env: { ...process.env, HOME: cwd, QUERN_HOME: '', NO_COLOR: '1', PAGER: 'cat' },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let screen = '';
  let seen = 0;
  const left = [...answers];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
    const [question, keys] = left[0] ?? [];
    const at = question === undefined ? -1 : screen.indexOf(question, seen);
    if (at === -1 || keys === undefined) return;
    left.shift();
    seen = at + 1;
    child.stdin.write(keys);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { screen, code };
}

describe('quern admin audit', () => {
  it('prints recorded actions, newest first', async () => {
    const cwd = await makeHome();
    await run(cwd, 'user create ada --role viewer');
    await run(cwd, 'group create team');
    await run(cwd, 'group add-member team ada');
    const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;
    expect((await run(cwd, 'admin audit')).stdout).toMatch(
      new RegExp(
        [
          `^${time}  admin  group.add     done  team: ada`,
          `${time}  admin  group.create  done  team`,
          `${time}  admin  user.create   done  ada: role VIEWER`,
          `${time}  admin  user.create   done  admin: role ADMIN\n$`,
        ].join('\n'),
      ),
    );
    expect(Object.keys((await list(cwd))[0]!)).toEqual(
      'id at actor token action object result address request_id'.split(' '),
    );
    const objects = async (options: string) => (await list(cwd, options)).map(({ object }) => object);
    expect(await objects(' --action group.create --actor ADMIN')).toEqual(['team']);
    expect(await objects(' --object ada --limit 1')).toEqual(['team: ada']);
    expect(await objects(' --since 1d --until 2999-01-31')).toHaveLength(4);
    expect(await objects(' --until 1d')).toEqual([]);
    expect(await objects(' --since 2999-01-31T08:00+01:00')).toEqual([]);
    expect((await run(cwd, 'admin audit --actor nobody')).stdout).toBe('');
  });

  it.each<[string, number, string]>([
    ['admin audit --limit 1001', 2, 'error: Limit must be between 1 and 1000\n'],
    ['admin audit --as ada', 4, "error: You don't have permission to perform the request\n"],
    ...['yesterday', '2027-02-30', '2027-01-31T08:00', '2027-01-31T25:00Z', '7w', ''].map<
      [string, number, string]
    >((time) => [
      `admin audit --since ${time}`,
      2,
      `error: --since ${time}: use a date such as 2027-01-31, a time such as 2027-01-31T08:00:00Z, or an age such as 7d, 12h or 30m\n`,
    ]),
  ])('refuses %s', async (line, code, message) => {
    const cwd = await makeHome();
    await run(cwd, 'user create ada');
    const { exitCode, stdout, stderr } = await quern(line.split(' '), { cwd });
    expect({ exitCode, stdout, stderr }).toEqual({ exitCode: code, stdout: '', stderr: message });
  });

  it('shows no control characters of typed values', async () => {
    const cwd = await makeHome();
    await quern(['user', 'create', 'x\u001b[31m'], { cwd });
    await run(cwd, 'group create team');
    expect((await run(cwd, 'admin audit')).stdout).not.toContain('\u001b');
  });
});

describe('quern admin reset-password', () => {
  it('reads the password from standard input, and is recorded', async () => {
    const cwd = await makeHome();
    await run(cwd, 'user create ada --disabled');
    expect((await run(cwd, 'admin reset-password --password-stdin', 'correct horse\n')).stderr).toBe(
      'changed the password of admin\n',
    );
    expect((await run(cwd, 'admin reset-password ADA --password-stdin', 'correct horse')).stderr).toBe(
      'changed the password of ada\nada is still disabled\n',
    );
    expect(await list(cwd, ' --action user.password')).toMatchObject([
      { actor: 'admin', object: 'ada' },
      { actor: 'admin', object: 'admin' },
    ]);
    expect(JSON.stringify(await list(cwd))).not.toMatch(/horse|argon/);
  });

  it('warns of a password that is easy to guess', async () => {
    const cwd = await makeHome();
    const warning = /^warning: the password is easily guessed: it is /;
    expect((await run(cwd, 'admin reset-password --password-stdin', 'iloveyou')).stderr).toMatch(warning);
    expect((await run(cwd, 'user create ada --password-stdin', 'ada-2026')).stderr).toMatch(warning);
    expect((await run(cwd, 'user set ada --password-stdin', 'quern123')).stderr).toMatch(warning);
    expect((await run(cwd, 'user set ada --password-stdin', 'correct horse')).stderr).not.toMatch(warning);
    await run(cwd, 'user set ada --email lovelace@example.org');
    expect((await run(cwd, 'user set ada --password-stdin', 'lovelace-2')).stderr).toMatch(warning);
    await run(cwd, 'user set admin --email zaphod@example.org');
    expect((await run(cwd, 'admin reset-password --password-stdin', 'zaphod-26')).stderr).toMatch(warning);
    const { exitCode, stderr } = await quern(['init', '--empty', 'other', '--admin', 'grace'], {
      cwd,
      env: { QUERN_ADMIN_PASSWORD: 'GraceGrace' },
    });
    expect([exitCode, stderr]).toEqual([0, expect.stringMatching(warning)]);
  });

  it.each([
    ['admin reset-password', '', 2, 'error: a prompt needs a terminal: use --password-stdin\n'],
    ['admin reset-password --password-stdin', '', 2, 'error: standard input has no password\n'],
    [
      'admin reset-password --password-stdin',
      'short',
      2,
      'error: Password refused: a password needs at least 8 characters\n',
    ],
    [
      'admin reset-password --password-stdin',
      'x'.repeat(1001),
      2,
      'error: Password refused: a password has at most 1000 characters\n',
    ],
    [
      'admin reset-password adda --password-stdin',
      'correct horse',
      1,
      'error: User not found: adda, did you mean `ada`?\n',
    ],
    [
      'admin reset-password --password-stdin --as ada',
      'correct horse',
      4,
      "error: You don't have permission to perform the request\n",
    ],
  ])('refuses %s with %j', async (line, input, code, message) => {
    const cwd = await makeHome();
    await run(cwd, 'user create ada');
    const { exitCode, stdout, stderr } = await quern(line.split(' '), { cwd, input });
    expect({ exitCode, stdout, stderr }).toEqual({ exitCode: code, stdout: '', stderr: message });
    expect(await list(cwd, ' --action user.password')).toEqual([]);
  });

  it.skipIf(!hasTerminal)(
    'asks twice on a terminal, and refuses a password that is easy to guess',
    async () => {
      const cwd = await makeHome();
      const { screen, code } = await onTerminal(cwd, 'admin reset-password', [
        ['The new password', 'short\r'],
        ['a password needs at least 8 characters', '\u0015iloveyou\r'],
        ['it is one of the commonest passwords', '\u0015correct horse\r'],
        ['Again:', 'correct horze\r'],
        ['the two passwords differ', '\u0015correct horse\r'],
      ]);
      expect(screen).toContain('changed the password of admin');
      expect(screen).not.toContain('correct');
      expect(code).toBe(0);
      expect(await list(cwd, ' --action user.password')).toHaveLength(1);
    },
  );

  it.skipIf(!hasTerminal)('changes nothing for an empty answer', async () => {
    const cwd = await makeHome();
    const { screen, code } = await onTerminal(cwd, 'admin reset-password', [['The new password', '\r']]);
    expect(screen).toContain('nothing was changed');
    expect(code).toBe(1);
    expect(await list(cwd, ' --action user.password')).toEqual([]);
  });

  it.skipIf(!hasTerminal).each(['admin reset-password', 'user set admin', 'user create ada'])(
    'does not let %s read a password from a terminal, which shows it',
    async (command) => {
      const cwd = await makeHome();
      const { screen, code } = await onTerminal(cwd, `${command} --password-stdin`, []);
      expect(screen).toContain('--password-stdin needs a pipe');
      expect(screen).toContain('hint: to type it hidden, run `quern admin reset-password USER`');
      expect(code).toBe(2);
      expect(await list(cwd, ' --action user.password')).toEqual([]);
    },
  );

  it('needs a home', async () => {
    const cwd = makeFolder();
    const { exitCode, stderr } = await quern(['admin', 'reset-password', '--password-stdin'], {
      cwd,
      input: 'correct horse',
    });
    expect([exitCode, stderr]).toEqual([2, 'error: no home here: run `quern init`\n']);
  });
});
