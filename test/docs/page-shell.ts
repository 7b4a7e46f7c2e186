import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { findPort } from '../support/find-port.ts';
import { makeFolder } from '../support/quern.ts';
import { countBeforeKill } from '../support/spent/uncounted.ts';
import { waitUntil } from '../support/waiting.ts';
import { makeTerminalEnvironment, openTerminal } from './terminal.ts';

/** The default port, which pages name; a page uses a free port instead of it. */
const PORT = '8080';

/** The file of the exported variables, below the home folder. */
const EXPORTED = 'exported';

/** A shell for the commands of a page. */
export interface PageShell {
  /** The folder of the next command. */
  readonly cwd: string;
  /**
   * Runs a command on a terminal of 100 columns, and returns its output. A command that ends with `&` runs
   * until the page ends, and has printed as many lines as `promised`. The current folder and the exported
   * variables stay the same for the next command.
   */
  run(command: string, promised: string): Promise<string>;
  /** Ends the processes that are still running. */
  end(): Promise<void>;
}

/** A shell in a new folder, with `quern` in its path. */
export async function makePageShell(): Promise<PageShell> {
  const home = makeFolder();
  const port = String(await findPort());
  const env = makeEnvironment(home, port);
  const running: ChildProcess[] = [];
  const work = path.join(home, 'work');
  mkdirSync(work);
  const terminal = openTerminal(work, env);

  return {
    get cwd() {
      return terminal.cwd;
    },
    run: async (text, promised) => {
      const command = text.replaceAll(PORT, port);
      if (!/&$/.test(command)) return (await terminal.run(command)).replaceAll(port, PORT);
      await terminal.run(`export -p > "${path.join(home, EXPORTED)}"`);
      const child = start(command.slice(0, -1), terminal.cwd, env);
      running.push(child);
      const count = promised.split('\n').filter(Boolean).length;
      const output = await readLines(child, count).catch((error: unknown) => {
        throw new Error(`\`${command}\` has printed fewer than ${count} lines`, { cause: error });
      });
      return output.replaceAll(port, PORT);
    },
    end: async () => {
      for (const child of running) {
        if (child.exitCode !== null || child.signalCode !== null) continue;
        const closed = once(child, 'close');
        countBeforeKill(child.pid!);
        process.kill(-child.pid!, 'SIGTERM');
        await closed;
      }
      await terminal.end();
    },
  };
}

function makeEnvironment(home: string, port: string): NodeJS.ProcessEnv {
  const env = makeTerminalEnvironment(home);
  writeFileSync(path.join(home, '.curlrc'), 'no-styled-output\n');
  writeFileSync(path.join(home, 'bin', 'npx'), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 });
  return { ...env, NO_COLOR: '1', QUERN_PORT: port };
}

/** Starts a command in a separate process group, with the exported variables of the terminal. */
function start(command: string, cwd: string, env: NodeJS.ProcessEnv): ChildProcess {
  const script = `. "${path.join(env.HOME!, EXPORTED)}"\n${command}`;
  return spawn('bash', ['-c', script], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
}

/** The output of a command until it has printed the given number of lines, or has ended. */
async function readLines(child: ChildProcess, count: number): Promise<string> {
  let text = '';
  let hasEnded = false;
  const isEnough = () => text.split('\n').length > count;
  child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
    if (!isEnough()) text += chunk;
  });
  child.once('close', () => {
    hasEnded = true;
  });
  await waitUntil(() => isEnough() || hasEnded);
  return text;
}
