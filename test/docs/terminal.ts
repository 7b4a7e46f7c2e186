import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { COMMAND_MS } from '../support/patience.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** A command on a terminal, and its current folder and variables. */
export interface TerminalCommand {
  readonly command: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

export interface TerminalResult {
  readonly output: string;
  /** The current folder after the command. */
  readonly cwd: string;
}

/** The variables of a shell with a new home folder, with `quern` in its path. */
export function makeTerminalEnvironment(home: string): NodeJS.ProcessEnv {
  const bin = path.join(home, 'bin');
  mkdirSync(bin);
  const shim = path.join(bin, 'quern');
  writeFileSync(shim, `#!/bin/sh\nexec "${process.execPath}" "${path.join(root, 'bin/quern.js')}" "$@"\n`);
  chmodSync(shim, 0o755);
  const { NO_COLOR: _, QUERN_HOME: __, ...env } = process.env;
  return {
    ...env,
    HOME: home,
    PAGER: 'cat',
    QUERN_ADMIN_PASSWORD: 'asked for on a terminal',
    PATH: `${bin}:${process.env.PATH}`,
  };
}

/**
 * Runs a command on a terminal of 100 columns. The next command with the same home folder has the variables
 * that it exported.
 */
export function runOnTerminal({ command, cwd, env }: TerminalCommand): TerminalResult {
  const state = path.join(env.HOME!, 'cwd');
  const exported = path.join(env.HOME!, 'exported');
  const script = path.join(env.HOME!, 'command.sh');
  if (!existsSync(exported)) writeFileSync(exported, '');
  const lines = [
    `. "${exported}"`,
    'stty cols 100 -onlcr',
    `cd "${cwd}"`,
    command,
    `pwd > "${state}"`,
    `export -p > "${exported}"`,
  ];
  writeFileSync(script, `${lines.join('\n')}\n`);
  const { stdout, status, signal, error } = spawnSync('script', ['-qec', `bash ${script}`, '/dev/null'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: COMMAND_MS,
  });
  if (status !== 0) {
    const reason = error?.message ?? `it ended with ${status ?? signal}`;
    throw new Error(`\`${command}\` did not run to its end: ${reason}\n${stdout}`);
  }
  return { output: withoutProgress(stdout.toString('utf8')), cwd: readFileSync(state, 'utf8').trim() };
}

/** The final text on a terminal of a command that shows its elapsed time. */
function withoutProgress(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these clear a line of a terminal
  return text.replaceAll(/\r\u001b\[K(?:\d+\.\d s {2}[^\r\n]*(?=\r))?/g, '');
}
