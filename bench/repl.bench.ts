import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Bench, Figures } from './bench.ts';
import { measureProcess } from './measure.ts';

const quern = path.resolve(import.meta.dirname, '../bin/quern.js');
const folder = mkdtempSync(path.join(tmpdir(), 'quern-bench-'));
const sql = 'SELECT count(*) AS n FROM range(1000)';
spawnSync(process.execPath, [quern, 'init', folder, '--empty']);

let session: ChildProcess | undefined;
process.on('exit', () => {
  session?.kill('SIGKILL');
  // The session ends with its terminal, and may still write.
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});

/** Starts a session on a terminal; resolves when it waits for a statement. */
async function open(): Promise<ChildProcess> {
  const env = { ...process.env, HOME: folder, QUERN_HOME: '', NODE_NO_WARNINGS: '1' };
  const command = `"${process.execPath}" "${quern}" repl --format csv`;
  const child = spawn('script', ['-qec', command, '/dev/null'], { cwd: folder, env });
  session = child;
  await waitFor(child, 'duckdb> ');
  return child;
}

/** Resolves when a text appears in the output that follows. */
function waitFor(child: ChildProcess, text: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let output = '';
  const take = (part: Buffer) => {
    output += String(part);
    if (output.includes(text)) resolve();
  };
  child.stdout?.on('data', take);
  return promise.finally(() => child.stdout?.off('data', take));
}

/** The time from Enter to the result. */
async function measureStatement(): Promise<Figures> {
  const child = session ?? (await open());
  const start = performance.now();
  const answered = waitFor(child, 'n\r\n1000\r\n');
  child.stdin?.write(`${sql};\r`);
  await answered;
  return { wall: performance.now() - start, cpu: Number.NaN, peak: Number.NaN };
}

export const benches: readonly Bench[] = [
  {
    name: 'a statement of quern repl ÷ quern sql with the same',
    peerName: 'quern sql',
    runs: 25,
    ours: measureStatement,
    peer: () => measureProcess(process.execPath, [quern, 'sql', sql], folder),
    limits: [{ metric: 'wall', most: 0.5 }],
  },
];
