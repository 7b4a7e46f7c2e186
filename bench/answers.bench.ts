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
const folder = mkdtempSync(path.join(tmpdir(), 'quern-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** A server of a home with the data. */
interface Server {
  readonly origin: string;
  readonly token: string;
  readonly pid: number;
}

async function serve(name: string, ...flags: readonly string[]): Promise<Server> {
  const home = path.join(folder, name);
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [quern, ...args, '--home', home], { encoding: 'utf8' }).stdout.trim();
  run('init', '--empty');
  copyFileSync(file, path.join(home, 'db', 'main.duckdb'));
  const token = run('token', 'create', '--name', 'bench');
  const args = [quern, 'serve', '--port', '0', '--home', home, ...flags];
  const env = { ...process.env, QUERN_EXEC_PER_USER: '64' };
  const server = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'], env });
  server.unref();
  process.on('exit', () => server.kill('SIGKILL'));
  const origin = await new Promise<string>((resolve) => {
    server.stdout.on('data', (line) => resolve(/https?:\S+/.exec(String(line))![0]));
  });
  return { origin, token, pid: server.pid! };
}

const [key, certificate] = [path.join(folder, 'key.pem'), path.join(folder, 'certificate.pem')];
const names = ['-subj', '/CN=localhost', '-keyout', key, '-out', certificate];
spawnSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '30', ...names]);
const plain = await serve('plain');
const encrypted = await serve('encrypted', '--tls-cert', certificate, '--tls-key', key);

const answerOf = ({ origin, token, pid }: Server, mode: string, ...more: string[]) => {
  return () => measureWorker(process.execPath, [worker('answer'), origin, token, `${pid}`, mode, ...more]);
};
const answer = (mode: string, ...more: string[]) => answerOf(plain, mode, ...more);
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
      { metric: 'wall', most: format === 'arrow' ? 1.3 : null },
    ],
  };
});

/** Through the server's own process, which encrypts. */
const encryptedExports = ['csv', 'arrow'].map((format): Bench => {
  return {
    name: `lineitem to ${format} over HTTPS ÷ in one thread`,
    peerName: 'in one thread',
    runs: 3,
    ours: answerOf(encrypted, 'export', format),
    peer: inThread('export', format),
    limits: [
      { metric: 'cpu', most: null },
      { metric: 'wall', most: null },
    ],
  };
});

export const benches: readonly Bench[] = [
  ...exports,
  ...encryptedExports,
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
