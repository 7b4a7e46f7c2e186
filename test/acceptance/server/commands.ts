import { onTestFinished } from 'vitest';
import { makeHome, quernProcess } from '../../support/quern.ts';
import { serve, type TestServer } from '../../support/server.ts';

/** A query without end. */
export const ENDLESS =
  'select count(*) from range(10000000000) a, range(10000000000) b where a.range + b.range = 7';

/** The result of a command. */
export interface Ran {
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command in a folder. */
export async function run(cwd: string, ...args: string[]): Promise<Ran> {
  const { exitCode, stdout, stderr } = await quernProcess(args, { cwd });
  return { exitCode, stdout: String(stdout), stderr: String(stderr) };
}

/** Starts a command. */
export function start(cwd: string, args: readonly string[]) {
  const child = quernProcess(args, { cwd });
  let isOver = false;
  let progress = '';
  child.stderr.on('data', (bytes: Buffer) => {
    progress += bytes;
  });
  const ended = child.then(({ exitCode, signal, stdout, stderr }) => {
    isOver = true;
    return { exitCode, signal, stdout: String(stdout), stderr: String(stderr) };
  });
  const kill = (signal: NodeJS.Signals) => child.kill(signal);
  return { pid: child.pid!, ended, hasEnded: () => isOver, progress: () => progress, kill };
}

/** A command whose SQL runs on the server. */
export async function begin(cwd: string, sql: string, ...options: string[]) {
  const before = await listIds(cwd);
  const child = start(cwd, ['sql', sql, ...options]);
  for (;;) {
    const [id] = (await listIds(cwd)).filter((found) => !before.includes(found));
    if (id !== undefined) return { ...child, id };
    if (child.hasEnded()) throw new Error(`it has ended: ${(await child.ended).stderr}`);
  }
}

/** The executions on the server of a home. */
export async function listIds(cwd: string): Promise<readonly string[]> {
  const { stdout } = await run(cwd, 'ps', '--json');
  return JSON.parse(stdout).data.map(({ id }: { id: string }) => id);
}

/** A server on a new home, until the test ends; `prepare` runs before it. */
export async function serveHome(
  prepare: (cwd: string) => Promise<unknown> = async () => {},
): Promise<TestServer> {
  const cwd = await makeHome();
  await prepare(cwd);
  const server = await serve(cwd);
  onTestFinished(() => server.kill());
  return server;
}
