import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Bench, Figures } from './bench.ts';
import { createLoads } from './soak/loads.ts';
import { listProcesses, readUsage, type Usage } from './soak/usage.ts';

// Runs a server under mixed load for SOAK_MINUTES, an environment variable (30 by default). Fails at the first wrong
// response.
const MINUTES = Number(process.env.SOAK_MINUTES ?? 30);
const SAMPLE_MS = 5_000;
const quern = path.resolve(import.meta.dirname, '../bin/quern.js');
const home = mkdtempSync(path.join(tmpdir(), 'quern-soak-'));
let server: ChildProcess | undefined;
process.on('exit', () => {
  server?.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true });
});

/** The samples of the server's processes, in the order of time. */
const samples: Usage[] = [];

async function start(): Promise<{ url: string; tokens: readonly string[] }> {
  const run = (...args: readonly string[]) => {
    return execFileSync(process.execPath, [quern, ...args, '--home', home], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  };
  run('init', '--empty');
  run(
    'connections',
    'add',
    'hasty',
    '--kind',
    'duckdb',
    '--set',
    `file=${path.join(home, 'hasty.duckdb')}`,
    '--timeout',
    '1',
  );
  const tokens = ['ada', 'ben', 'cleo', 'dan'].map((name) => {
    run('user', 'create', name, '--role', 'ADMIN');
    return run('token', 'create', '--name', 'soak', '--user', name);
  });
  const args = [quern, 'serve', '--port', '0', '--home', home];
  server = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  for await (const line of server.stdout!) return { url: /http:\S+/.exec(String(line))![0], tokens };
  throw new Error('the server has ended');
}

/** Runs the load; the figures are those of the last fifth of the time, with the memory of all processes in megabytes. */
async function soak(): Promise<Figures> {
  const { url, tokens } = await start();
  const { prepare, run, check, print } = createLoads(url, tokens);
  await prepare();
  const end = performance.now() + MINUTES * 60_000;
  const isOver = () => performance.now() > end;
  const sampler = setInterval(() => samples.push(readUsage(listProcesses(server!.pid!))), SAMPLE_MS);
  try {
    await run(isOver);
  } finally {
    clearInterval(sampler);
  }
  await check();
  print();
  for (let fifth = 0; fifth < 5; fifth++) {
    const { memory, first, files, processes } = readFifth(fifth);
    const own = `${memory.toFixed(0)} MB, ${first.toFixed(0)} MB of them the server's`;
    console.log(`  fifth ${fifth + 1}: ${own}, ${files} open files, ${processes} processes`);
  }
  server!.kill('SIGTERM');
  return { wall: Number.NaN, cpu: Number.NaN, peak: readFifth(4).memory };
}

/** The medians of a fifth of the samples. */
function readFifth(fifth: number): Usage {
  const part = samples.slice((samples.length * fifth) / 5, (samples.length * (fifth + 1)) / 5);
  const median = (key: keyof Usage) =>
    part.map((usage) => usage[key]).sort((a, b) => a - b)[part.length >> 1]!;
  return {
    memory: median('memory'),
    first: median('first'),
    files: median('files'),
    processes: median('processes'),
  };
}

export const benches: readonly Bench[] = [
  {
    name: `a server under mixed load for ${MINUTES} minutes: the last fifth ÷ the second`,
    peerName: 'the second fifth',
    runs: 1,
    isWarm: true,
    ours: soak,
    peer: async () => ({ wall: Number.NaN, cpu: Number.NaN, peak: readFifth(1).memory }),
    limits: [{ metric: 'peak', most: 1.15 }],
  },
];
