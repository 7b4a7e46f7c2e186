import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import type { Readable, Writable } from 'node:stream';
import { COMMAND_MS } from '../support/patience.ts';
import { listDescendants } from '../support/processes.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** A shell on a terminal of 100 columns, which keeps its folder and its variables from one command to the next. */
export interface TerminalShell {
  /** The current folder. */
  readonly cwd: string;
  /** Runs a command, and returns its output. A command that exceeds its time ends the shell. */
  run(command: string): Promise<string>;
  /** Ends the shell, and waits. */
  end(): Promise<void>;
}

/** The output of a command, and the current folder after it. */
interface Ran {
  readonly output: string;
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
    TERM: 'xterm',
    PAGER: 'cat',
    QUERN_ADMIN_PASSWORD: 'asked for on a terminal',
    PATH: `${bin}:${process.env.PATH}`,
  };
}

/** Precedes the current folder, which ends the output of each command; no program prints it. */
const END = '\u0001end of the output\u0001';

/** Commands arrive at a separate pipe, so that the input of a command is the terminal. They do not have this pipe. */
const LOOP = `stty cols 100 -onlcr
while IFS= read -r -d '' -u 3 command; do
  eval "$command" 3<&-
  printf '%s%s\\n' "$1" "$PWD"
done
`;

/** The key that ends the input of a command that reads the terminal. */
const END_OF_INPUT = '\u0004';

/** Starts a shell in a folder, with the variables of `makeTerminalEnvironment`; `limitMs` is the time of a command. */
export function openTerminal(
  cwd: string,
  env: NodeJS.ProcessEnv,
  limitMs: number = COMMAND_MS,
): TerminalShell {
  const loop = path.join(env.HOME!, 'loop.sh');
  writeFileSync(loop, LOOP);
  const child = spawn('script', ['-qec', `exec bash "${loop}" "${END}"`, '/dev/null'], {
    cwd,
    env,
    stdio: ['pipe', 'pipe', 'inherit', 'pipe'],
  });
  const [keys, screen, , commands] = child.stdio as unknown as [Writable, Readable, null, Writable];
  screen.setEncoding('utf8');
  // The errors of writing to a shell that has ended.
  for (const input of [keys, commands]) input.on('error', () => undefined);
  const closed = once(child, 'close');

  return {
    get cwd() {
      return cwd;
    },
    run: async (command) => {
      const limit = setTimeout(() => killShell(child), limitMs);
      keys.write(END_OF_INPUT);
      commands.write(`${command}\0`);
      try {
        const ran = await readOutput(screen, closed);
        cwd = ran.cwd;
        return withoutProgress(ran.output);
      } catch (error) {
        throw new Error(`\`${command}\` did not run to its end`, { cause: error });
      } finally {
        clearTimeout(limit);
      }
    },
    end: async () => {
      commands.end();
      await closed;
    },
  };
}

/** Reads to the end of the output of a command; throws what it has printed if the shell ends before. */
async function readOutput(screen: Readable, closed: Promise<unknown>): Promise<Ran> {
  const { promise, resolve, reject } = Promise.withResolvers<Ran>();
  let text = '';
  const read = (part: string) => {
    text += part;
    const end = text.lastIndexOf(END);
    if (end < 0 || !text.endsWith('\n')) return;
    resolve({ output: text.slice(0, end), cwd: text.slice(end + END.length, -1) });
  };
  screen.on('data', read);
  void closed.then(() => reject(new Error(`the shell has ended after this output:\n${text}`)));
  try {
    return await promise;
  } finally {
    screen.off('data', read);
  }
}

/** Kills the shell, and everything that it has started. */
function killShell(terminal: ChildProcess): void {
  for (const pid of [...listDescendants(terminal.pid!), terminal.pid!]) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}

/** The final text on a terminal of a command that shows its elapsed time. */
function withoutProgress(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these clear a line of a terminal
  return text.replaceAll(/\r\u001b\[K(?:\d+\.\d s {2}[^\r\n]*(?=\r))?/g, '');
}
