import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import process from 'node:process';
import { makeFolder } from '../support/quern.ts';
import { makeTerminalEnvironment, runOnTerminal } from './terminal.ts';

/** The default port, which pages name; a page uses a free port instead of it. */
const PORT = '8080';
const START_MS = 30_000;

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
  const port = await findFreePort();
  const env = makeEnvironment(home, port);
  const running: ChildProcess[] = [];
  let cwd = path.join(home, 'work');
  mkdirSync(cwd);

  return {
    get cwd() {
      return cwd;
    },
    run: async (text, promised) => {
      const command = text.replaceAll(PORT, port);
      if (!/&$/.test(command)) {
        const ran = runOnTerminal({ command, cwd, env });
        cwd = ran.cwd;
        return ran.output.replaceAll(port, PORT);
      }
      const child = start(command.slice(0, -1), cwd, env);
      running.push(child);
      const count = promised.split('\n').filter(Boolean).length;
      const output = count === 0 ? '' : await readLines(child, count);
      child.stdout!.resume();
      return output.replaceAll(port, PORT);
    },
    end: async () => {
      for (const child of running) {
        if (child.exitCode !== null || child.signalCode !== null) continue;
        const closed = once(child, 'close');
        process.kill(-child.pid!, 'SIGTERM');
        await closed;
      }
    },
  };
}

async function findFreePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? String(address.port) : PORT;
}

function makeEnvironment(home: string, port: string): NodeJS.ProcessEnv {
  const env = makeTerminalEnvironment(home);
  writeFileSync(path.join(home, '.curlrc'), 'no-styled-output\n');
  writeFileSync(path.join(home, 'bin', 'npx'), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 });
  return { ...env, NO_COLOR: '1', QUERN_PORT: port };
}

/** Starts a command in a separate process group. */
function start(command: string, cwd: string, env: NodeJS.ProcessEnv): ChildProcess {
  const exported = path.join(env.HOME!, 'exported');
  const script = existsSync(exported) ? `. "${exported}"\n${command}` : command;
  return spawn('bash', ['-c', script], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
}

/**
 * The output of a command until it has printed the given number of lines, has ended, or exceeds the time
 * limit.
 */
async function readLines(child: ChildProcess, count: number): Promise<string> {
  let text = '';
  const late = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), START_MS);
  for await (const chunk of child.stdout!.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    text += chunk;
    if (text.split('\n').length > count) break;
  }
  clearTimeout(late);
  return text;
}
