import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeHome, quern, writeFiles } from '../../support/quern.ts';
import { eventually } from '../../support/waiting.ts';

const bin = path.resolve(import.meta.dirname, '../../../bin/quern.js');
const hasTerminal = spawnSync('script', ['--version']).status === 0 && process.platform === 'linux';

async function makeProject(): Promise<string> {
  const cwd = await makeHome();
  mkdirSync(path.join(cwd, 'bin'));
  writeFileSync(path.join(cwd, 'bin/quern'), `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`);
  chmodSync(path.join(cwd, 'bin/quern'), 0o755);
  writeFiles(cwd, { 'report.sql': '#+src sql Orders()\n#+begin SELECT 1 AS n #+end\n' });
  await quern(['catalog', 'mkdir', '@Shared/finance'], { cwd });
  await quern(['catalog', 'put', 'report.sql', '@Shared/finance/report'], { cwd });
  return cwd;
}

/** Shells in which a line is completed and run: the file that they read at start, and the command that starts them. */
const SHELLS = {
  zsh: {
    startFile: [
      '.zshrc',
      'autoload -U compinit; compinit -u -D; source <(quern completion zsh); PROMPT=READY:\n',
    ],
    command: 'zsh -i',
  },
  fish: {
    startFile: [
      '.config/fish/config.fish',
      'quern completion fish | source\nfunction fish_prompt; echo READY:; end\n',
    ],
    command: 'fish -i',
  },
} as const;

const hasShell = (name: string) => hasTerminal && spawnSync(name, ['--version']).status === 0;

/** Types keys, Tab, further keys and Enter in an interactive shell. Returns the arguments of the command that it runs. */
async function completeAndRun(
  shell: keyof typeof SHELLS,
  keys: string,
  more: string,
): Promise<readonly string[]> {
  const cwd = await makeProject();
  const { startFile, command } = SHELLS[shell];
  const ran = path.join(cwd, 'ran');
  writeFiles(cwd, {
    [startFile[0]]: startFile[1],
    'bin/quern': `#!/bin/sh
if [ "$1" = completion ]; then exec "${process.execPath}" "${bin}" "$@"; fi
printf '%s\\n' "$@" > "${ran}.part"; mv "${ran}.part" "${ran}"
`,
  });
  const env = {
    ...process.env,
    HOME: cwd,
    ZDOTDIR: cwd,
    XDG_CONFIG_HOME: path.join(cwd, '.config'),
    QUERN_HOME: '',
    TERM: 'xterm',
    PATH: `${path.join(cwd, 'bin')}:${process.env.PATH}`,
  };
  const child = spawn('script', ['-qec', `stty cols 200; ${command}`, '/dev/null'], { cwd, env });
  onTestFinished(() => void child.kill('SIGKILL'));
  let screen = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    screen += part;
  });
  await eventually(() => expect(screen).toContain('READY:'));
  child.stdin.write(`${keys}\t${more}\r`);
  await eventually(() => expect(existsSync(ran), screen).toBe(true));
  return readFileSync(ran, 'utf8').trimEnd().split('\n');
}

/** Types keys and Tab in an interactive bash, and waits until the command line equals the expected one. */
async function complete(cwd: string, keys: string, expected: string): Promise<string> {
  const rc = 'source <(quern completion bash); bind "set enable-bracketed-paste off"; PS1="READY:"\n';
  writeFileSync(path.join(cwd, 'rc'), rc);
  const env = {
    ...process.env,
    HOME: cwd,
    QUERN_HOME: '',
    PATH: `${path.join(cwd, 'bin')}:${process.env.PATH}`,
  };
  const child = spawn('script', ['-qec', 'stty cols 200; bash --rcfile rc -i', '/dev/null'], { cwd, env });
  onTestFinished(() => void child.kill('SIGKILL'));
  let screen = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    screen += part;
  });
  const wait = (text: string) => eventually(() => expect(screen).toContain(text));
  await wait('READY:');
  child.stdin.write(`${keys}\t`);
  await wait(`READY:${expected}`);
  return screen;
}

describe('quern completion', () => {
  it('prints code for each shell, and refuses others', async () => {
    const cwd = await makeHome();
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { stdout, exitCode } = await quern(['completion', shell], { cwd });
      expect(exitCode).toBe(0);
      expect(stdout).toMatch(/quern completion (word-and-)?candidates -- /);
    }
    expect(await quern(['completion', 'csh'], { cwd })).toMatchObject({
      exitCode: 2,
      stderr: 'error: unknown shell `csh`; use bash, zsh, fish\n',
    });
  });

  it.each([
    ['quern exec @Shared/finance/r', '@Shared/finance/report\n'],
    ['quern catalog ls @S', '@Shared/\n'],
    ["quern catalog ls '@Project H", '@Project Hub/\n'],
    ['quern exec-block @Shared/finance ', 'Orders\n'],
    ['quern exec-block . O', 'Orders\n'],
    ['quern sql --connection ', 'duckdb\n'],
    ['quern user set ', 'admin\n'],
    ['quern admin backup ', 'ls\nrm\n'],
    ['quern admin backup ho', ''],
    ['quern exec @Nowhere/x', ''],
  ])('lists the candidates of `%s`', async (line, candidates) => {
    const cwd = await makeProject();
    expect(await quern(['completion', 'candidates', '--', line], { cwd })).toMatchObject({
      exitCode: 0,
      stdout: candidates,
      stderr: '',
    });
  });

  it('lists words without a home', async () => {
    const cwd = await makeProject();
    const args = ['completion', 'candidates', '--', 'quern --home nowhere connection sh'];
    expect((await quern(args, { cwd })).stdout).toBe('show\n');
  });

  it.skipIf(!hasTerminal).each([
    ['quern conn', 'quern connection '],
    ['quern exec @Sh', 'quern exec @Shared/'],
    ['quern exec @Shared/finance/r', 'quern exec @Shared/finance/report '],
    ['quern catalog ls @Proj', 'quern catalog ls @Project\\ Hub/'],
    ["quern catalog ls '@Proj", "quern catalog ls '@Project Hub/'"],
    ['quern grant add everyone use connection:d', 'quern grant add everyone use connection:duckdb '],
    ['quern sql --conn', 'quern sql --connection '],
    ['quern sql -c du', 'quern sql -c duckdb '],
    ['quern exec rep', 'quern exec report.sql '],
  ])('completes `%s` in bash', async (keys, line) => {
    expect(await complete(await makeProject(), keys, line)).toContain(line);
  });

  describe.each(['zsh', 'fish'] as const)('the completion of %s', (shell) => {
    it.skipIf(!hasShell(shell)).each<[keys: string, more: string, words: readonly string[]]>([
      ['quern conn', '', ['connection']],
      ['quern exec @Shared/finance/r', '', ['exec', '@Shared/finance/report']],
      ['quern catalog ls @Proj', '', ['catalog', 'ls', '@Project Hub/']],
      ["quern catalog ls '@Proj", "'", ['catalog', 'ls', '@Project Hub/']],
      ['quern sql -c du', '', ['sql', '-c', 'duckdb']],
      ['quern exec rep', '', ['exec', 'report.sql']],
    ])('completes `%s`', async (keys, more, words) => {
      expect(await completeAndRun(shell, keys, more)).toEqual(words);
    });
  });
});
