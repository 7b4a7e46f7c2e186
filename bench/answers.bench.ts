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
const env = { ...process.env, QUERN_EXEC_PER_USER: '64' };
const server = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'], env });
server.unref();
process.on('exit', () => {
  server.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true });
});
const port = await new Promise<string>((resolve) => {
  server.stdout.on('data', (line) => resolve(/(\d+)\s*$/.exec(String(line))![1]!));
});

const answer = (mode: string, ...more: string[]) => {
  return () =>
    measureWorker(process.execPath, [worker('answer'), port, token, `${server.pid}`, mode, ...more]);
};
const inThread = (mode: string, format: string) => {
  return () => measureWorker(process.execPath, [worker('host'), 'thread', file, mode, format]);
};

const exports = ['csv', 'arrow'].map((format): Bench => {
  return {
    name: `lineitem to ${format} over HTTP ÷ in one thread`,
    peerName: 'in one thread',
    runs: 5,
    ours: answer('export', format),
    peer: inThread('export', format),
    limits: [
      { metric: 'cpu', most: 1.4 },
      { metric: 'wall', most: null },
    ],
  };
});

export const benches: readonly Bench[] = [
  ...exports,
  {
    name: 'the first byte of lineitem over HTTP ÷ in one thread',
    peerName: 'in one thread',
    runs: 5,
    ours: answer('first', 'csv'),
    peer: inThread('first', 'csv'),
    limits: [{ metric: 'wall', most: 2 }],
  },
  {
    name: "3,200 × SELECT 42 over HTTP, 16 at once ÷ a loop of the engine's own package",
    peerName: 'the loop',
    runs: 5,
    ours: answer('small', 'csv'),
    peer: () => measureWorker(process.execPath, [worker('fetch-loop')]),
    limits: [{ metric: 'wall', most: 1.25 }],
  },
  {
    name: '99th percentile of catalog reads during an export ÷ idle',
    peerName: 'idle',
    runs: 5,
    ours: answer('catalog', 'csv', '1'),
    peer: answer('catalog', 'csv', '0'),
    limits: [{ metric: 'wall', most: 2 }],
  },
];
