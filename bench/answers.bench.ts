import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Bench } from './bench.ts';
import { ensureData } from './data.ts';
import { measureWorker } from './measure.ts';

const file = await ensureData();
const quern = path.resolve(import.meta.dirname, '../bin/quern.js');
const worker = (name: string) => path.join(import.meta.dirname, 'workers', `${name}.ts`);
const home = mkdtempSync(path.join(tmpdir(), 'quern-bench-'));
const run = (...args: string[]) =>
  spawnSync(process.execPath, [quern, ...args, '--home', home], { encoding: 'utf8' }).stdout.trim();

run('init', '--empty');
copyFileSync(file, path.join(home, 'db', 'main.duckdb'));
const token = run('token', 'create', '--name', 'bench');
const args = [quern, 'serve', '--port', '0', '--home', home];
const server = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
server.unref();
process.on('exit', () => {
  server.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true });
});
const port = await new Promise<string>((resolve) => {
  server.stdout.on('data', (line) => resolve(/(\d+)\s*$/.exec(String(line))![1]!));
});

export const benches: readonly Bench[] = ['csv', 'arrow'].map((format): Bench => {
  return {
    name: `lineitem to ${format} over HTTP ÷ in one thread`,
    peerName: 'in one thread',
    runs: 3,
    ours: () => measureWorker(process.execPath, [worker('answer'), port, token, `${server.pid}`, format]),
    peer: () => measureWorker(process.execPath, [worker('host'), 'thread', file, 'export', format]),
    limits: [
      { metric: 'cpu', most: 1.4 },
      { metric: 'wall', most: null },
    ],
  };
});
