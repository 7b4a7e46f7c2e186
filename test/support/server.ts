import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, inject, onTestFinished } from 'vitest';
import { type Client, createClient } from './http.ts';
import { atProcessEnd, shareProcess } from './processes.ts';
import { copyHome, makeFolder, quern } from './quern.ts';
import { countBeforeKill } from './spent/uncounted.ts';

const bin = path.resolve(import.meta.dirname, '../../bin/quern.js');

/** A server in a separate process, started as users do. */
export interface TestServer {
  /** The instance's address, without a trailing slash. */
  readonly url: string;
  /** The folder whose `.quern` is served. */
  readonly cwd: string;
  readonly pid: number;
  /** The complete log so far. */
  log(): string;
  /** Requests a stop, waits, and returns the exit code. */
  stop(): Promise<number | null>;
  /** Kills the process, and waits. */
  kill(): Promise<void>;
}

/** Starts `quern serve` on a free port for the home in a folder, and waits until it listens. */
export async function serve(
  cwd: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<TestServer> {
  const child = spawn(process.execPath, [bin, 'serve', '--port', '0', ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, HOME: cwd, QUERN_HOME: '', ...env },
  });
  const closed = once(child, 'close');
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const url = await readAddress(child);
  if (url === undefined) throw new Error(`the server did not start: ${log}`);
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await closed;
  };
  return {
    url,
    cwd,
    pid: child.pid!,
    log: () => log,
    stop: async () => {
      await end('SIGTERM');
      return child.exitCode;
    },
    kill: () => {
      countBeforeKill(child.pid!);
      return end('SIGKILL');
    },
  };
}

/** The text of the one line that it prints; undefined when it ends before. */
async function readAddress(child: ChildProcess): Promise<string | undefined> {
  for await (const line of createInterface({ input: child.stdout! })) {
    return /^listening on (\S+)$/.exec(line)?.[1];
  }
  return undefined;
}

/** A server on a new home with its first administrator; it ends with the test. */
export async function startServer(...args: readonly string[]): Promise<Shared> {
  const { cwd } = await makeAdminHome();
  const server = await serve(cwd, args);
  onTestFinished(() => server.kill());
  return withAdmin(server);
}

/** A new folder with an empty home, and a token of its administrator. */
export async function makeAdminHome(): Promise<{ readonly cwd: string; readonly token: string }> {
  const cwd = makeFolder();
  await copyHome('adminHome', cwd);
  return { cwd, token: inject('adminToken') };
}

/** Runs a command, expects success, and returns its output. */
export async function runQuern(cwd: string, line: string | readonly string[], input = ''): Promise<string> {
  const args = typeof line === 'string' ? line.split(' ') : line;
  const { exitCode, stdout, stderr } = await quern(args, { cwd, input });
  if (exitCode !== 0) throw new Error(`quern ${args.join(' ')}: exit code ${exitCode}: ${stderr}`);
  return String(stdout);
}

/** Creates a token of a user; `options` are flags such as `--read-only`. */
export async function createToken(cwd: string, user = 'admin', ...options: string[]): Promise<string> {
  const args = ['token', 'create', '--name', randomUUID(), '--user', user, ...options];
  return (await runQuern(cwd, args)).trim();
}

/** A server and its first administrator. */
export interface Shared {
  readonly server: TestServer;
  readonly token: string;
  readonly admin: Client;
}

/** The properties of a started server with a home. */
export function withAdmin(server: TestServer): Shared {
  const token = inject('adminToken');
  return { server, token, admin: createClient(server.url, token) };
}

/** One server on a new home for all tests of a file; the returned objects exist while the tests run. */
export function shareServer(...args: readonly string[]): Shared {
  const cwd = mkdtempSync(path.join(tmpdir(), 'quern-test-'));
  const shared: { -readonly [Key in keyof Shared]?: Shared[Key] } = {};
  beforeAll(async () => {
    await copyHome('adminHome', cwd);
    Object.assign(shared, withAdmin(await serve(cwd, args)));
  });
  afterAll(async () => {
    await shared.server?.kill();
    rmSync(cwd, { recursive: true, force: true });
  });
  return shared as Shared;
}

/** The server of this process for several files of tests; it ends with the process. */
let kept: Promise<Shared> | undefined;

async function startKept(): Promise<Shared> {
  const cwd = mkdtempSync(path.join(tmpdir(), 'quern-test-'));
  await copyHome('adminHome', cwd);
  const server = await serve(cwd);
  shareProcess(server.pid);
  atProcessEnd(() => {
    void server.kill();
    rmSync(cwd, { recursive: true, force: true });
  });
  return withAdmin(server);
}

/**
 * The server that all files of tests in this process share. A file that uses it changes only items and users with
 * random names, and expects nothing about others.
 */
export function shareKeptServer(): Shared {
  const shared: { -readonly [Key in keyof Shared]?: Shared[Key] } = {};
  beforeAll(async () => {
    kept ??= startKept();
    Object.assign(shared, await kept);
  });
  return shared as Shared;
}
