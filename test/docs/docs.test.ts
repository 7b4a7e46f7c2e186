import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/command-table.ts';
import { type Example, findExamples, matchesOutput } from '../support/markdown.ts';
import { makeFolder } from '../support/quern.ts';

const root = path.resolve(import.meta.dirname, '../..');
const hasTerminal = spawnSync('script', ['--version']).status === 0 && process.platform === 'linux';
const pages = [
  'README.md',
  ...readdirSync(path.join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** Runs one command of a page on a terminal of 100 columns; the shell's folder goes on to the next one. */
function runOnTerminal(
  command: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
): { output: string; cwd: string } {
  const state = path.join(env.HOME!, 'cwd');
  const script = path.join(env.HOME!, 'command.sh');
  writeFileSync(script, `stty cols 100 -onlcr\ncd "${cwd}"\n${command}\npwd > "${state}"\n`);
  const output = execFileSync('script', ['-qec', `bash ${script}`, '/dev/null'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 30_000,
  });
  return { output: output.toString('utf8'), cwd: readFileSync(state, 'utf8').trim() };
}

function makeShell(): { cwd: string; env: NodeJS.ProcessEnv } {
  const home = makeFolder();
  const cwd = path.join(home, 'work');
  mkdirSync(path.join(home, 'bin'));
  mkdirSync(cwd);
  const shim = path.join(home, 'bin', 'quern');
  writeFileSync(shim, `#!/bin/sh\nexec "${process.execPath}" "${path.join(root, 'bin/quern.js')}" "$@"\n`);
  chmodSync(shim, 0o755);
  writeFileSync(path.join(home, 'bin', 'npx'), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 });
  const { NO_COLOR: _, QUERN_HOME: __, ...env } = process.env;
  return {
    cwd,
    env: {
      ...env,
      HOME: home,
      NO_COLOR: '1',
      QUERN_ADMIN_PASSWORD: 'asked for on a terminal',
      PATH: `${path.join(home, 'bin')}:${process.env.PATH}`,
    },
  };
}

function runPage(examples: readonly Example[]): readonly { line: number; shown: string; printed: string }[] {
  const shell = makeShell();
  let { cwd } = shell;
  const different: { line: number; shown: string; printed: string }[] = [];
  for (const example of examples) {
    if (example.kind === 'file') {
      mkdirSync(path.dirname(path.join(cwd, example.name)), { recursive: true });
      writeFileSync(path.join(cwd, example.name), example.text);
      continue;
    }
    const ran = runOnTerminal(example.command, cwd, shell.env);
    cwd = ran.cwd;
    if (matchesOutput(ran.output, example.output)) continue;
    different.push({ line: example.line, shown: example.output, printed: ran.output });
  }
  return different;
}

describe('the documentation', () => {
  it.skipIf(!hasTerminal).each(pages)('%s shows what really happens', (page) => {
    const examples = findExamples(readFileSync(path.join(root, page), 'utf8'));
    expect(examples.length).toBeGreaterThan(0);
    expect(runPage(examples)).toEqual([]);
  });

  it.each(COMMANDS.map(({ name, options }) => ({ name, options })))(
    'describes `quern $name`',
    ({ name, options }) => {
      const text = readFileSync(path.join(root, 'docs/command-line.md'), 'utf8');
      expect(text).toContain(`quern ${name}`);
      for (const { flags } of options) expect(text).toContain(/--[\w-]+/.exec(flags)![0]);
    },
  );
});
