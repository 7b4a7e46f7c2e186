import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import process from 'node:process';
import { makeFolder } from '../support/quern.ts';

const root = path.resolve(import.meta.dirname, '../..');
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
        const ran = runOnTerminal(command, cwd, env);
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
  mkdirSync(path.join(home, 'bin'));
  const shim = path.join(home, 'bin', 'quern');
  writeFileSync(shim, `#!/bin/sh\nexec "${process.execPath}" "${path.join(root, 'bin/quern.js')}" "$@"\n`);
  chmodSync(shim, 0o755);
  writeFileSync(path.join(home, '.curlrc'), 'no-styled-output\n');
  writeFileSync(path.join(home, 'bin', 'npx'), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 });
  const { NO_COLOR: _, QUERN_HOME: __, ...env } = process.env;
  return {
    ...env,
    HOME: home,
    NO_COLOR: '1',
    PAGER: 'cat',
    QUERN_ADMIN_PASSWORD: 'asked for on a terminal',
    QUERN_PORT: port,
    PATH: `${path.join(home, 'bin')}:${process.env.PATH}`,
  };
}

function runOnTerminal(
  command: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
): { output: string; cwd: string } {
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
  const output = execFileSync('script', ['-qec', `bash ${script}`, '/dev/null'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 30_000,
  });
  return { output: withoutProgress(output.toString('utf8')), cwd: readFileSync(state, 'utf8').trim() };
}

/** The final text on a terminal of a command that shows its elapsed time. */
function withoutProgress(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these clear a line of a terminal
  return text.replaceAll(/\r\u001b\[K(?:\d+\.\d s {2}[^\r\n]*(?=\r))?/g, '');
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
