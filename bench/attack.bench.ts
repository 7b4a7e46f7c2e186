import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ATTACKS, type Attack, type Attacker } from './attack/attacks.ts';
import type { Bench, Figures } from './bench.ts';
import { quern, serveWatched, workers } from './served.ts';

// The effect of a user with few rights on other users: each attack runs against one server, while another user runs
// SELECT 42. Fails when an attack gets an unexpected status, or when a process of the server ends.
const ROUNDS = 3;
/** The least number of waits in one sample. */
const SAMPLES = 200;
const PAUSE_MS = 10;
/** Limit of the memory of the server's process, in megabytes: some attacks send bodies of 90 MB. */
const CEILING = 1_500;
/** Limit of the time for which the server's main thread is blocked, in milliseconds. */
const STALL_MS = 50;

const runFile = promisify(execFile);
const home = mkdtempSync(path.join(tmpdir(), 'quern-attack-'));
process.on('exit', () => rmSync(home, { recursive: true, force: true }));
const run = (...args: readonly string[]) =>
  execFileSync(process.execPath, [quern, ...args, '--home', home], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
run('init', '--empty');
const makeToken = (user: string, ...options: readonly string[]) =>
  run('token', 'create', '--name', `${user}${options.length}`, '--user', user, ...options);
for (const user of ['mallory', 'ada']) run('user', 'create', user);
run('grant', 'add', 'user:mallory', 'use', 'connection:duckdb');
const server = await serveWatched({ home, token: makeToken('ada') });
const attacker: Attacker = {
  url: `http://127.0.0.1:${server.port}`,
  token: makeToken('mallory'),
  readOnlyToken: makeToken('mallory', '--read-only'),
};

/** Measures how long the other user waits for `SELECT 42`, in milliseconds. */
async function ask(): Promise<number> {
  const start = performance.now();
  const answer = await fetch(`${attacker.url}/api/v1/exec/sql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ sql: 'SELECT 42', connection: { name: 'duckdb' } }),
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`SELECT 42: ${answer.status} ${text}`);
  return performance.now() - start;
}

/** Repeats the query at least until `isOver` is true. Resolves with the waits, in milliseconds. */
async function sample(isOver: () => boolean = () => true): Promise<readonly number[]> {
  const waits: number[] = [];
  while (waits.length < SAMPLES || !isOver()) {
    waits.push(await ask());
    await sleep(PAUSE_MS);
  }
  return waits;
}

/** The 99th percentile of the waits, and the longest wait. */
function summarize(waits: readonly number[]): Figures {
  const sorted = waits.toSorted((one, other) => one - other);
  return {
    wall: sorted[Math.floor(sorted.length * 0.99)]!,
    cpu: 0,
    peak: readPeak(),
    longest: sorted.at(-1)!,
  };
}

/** The peak memory of the server's process, in megabytes. */
function readPeak(): number {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)![1]) / 1024;
}

/** The child processes of the server. */
function listProcesses(): string {
  return readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8').trim();
}

/**
 * Resolves with the statuses of the responses. A real attacker uses another machine: here it is a process that only runs
 * when nothing else wants the processor, so that its work does not count for the server. The lowest nice value is not
 * enough, because the kernel lets such a process end its turn of some milliseconds first.
 */
async function send(name: string): Promise<readonly number[]> {
  const program = [process.execPath, path.join(workers, 'attacker.ts')];
  const env = { ...process.env, ATTACK: JSON.stringify({ attacker, name }) };
  const { stdout } = await runFile('chrt', ['--idle', '0', ...program], { env });
  return JSON.parse(stdout);
}

/** What the other user waits during one run of an attack, and the longest blocks of the server's main thread. */
interface Suffered {
  readonly waits: readonly number[];
  readonly stall: number;
  readonly turn: number;
}

async function suffer({ name, expected }: Attack): Promise<Suffered> {
  const before = listProcesses();
  let isOver = false;
  const sent = send(name).finally(() => {
    isOver = true;
  });
  await server.readStall();
  const waits = await sample(() => isOver);
  const stalls = await server.readStall();
  const strange = (await sent).filter((status) => !expected.includes(status));
  if (strange.length > 0) throw new Error(`${name}: unexpected status ${strange.join(', ')}`);
  if (listProcesses() !== before) throw new Error(`${name}: a process of the server has ended`);
  return { waits, ...stalls };
}

/** Combines the runs of one attack. */
function combine(runs: readonly Suffered[]): Figures {
  const longest = (metric: 'stall' | 'turn') => Math.max(...runs.map((run) => run[metric]));
  return {
    ...summarize(runs.flatMap(({ waits }) => waits)),
    stall: longest('stall'),
    turn: longest('turn'),
  };
}

// The 99th percentile of 200 waits is the third longest, which varies by a factor of five from one sample to the next. So
// each attack runs several times, and the idle waits between all attacks are one sample.
await sample();
const idle: number[] = [];
const suffered = new Map<Attack, Suffered[]>(ATTACKS.map((attack) => [attack, []]));
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [attack, runs] of suffered) {
    idle.push(...(await sample()));
    runs.push(await suffer(attack));
  }
}

export const benches: readonly Bench[] = [...suffered].map(([{ name }, runs]) => ({
  name: `99th percentile of SELECT 42 during ${name} ÷ idle`,
  peerName: 'idle',
  runs: 1,
  isWarm: true,
  ours: async () => combine(runs),
  peer: async () => summarize(idle),
  limits: [
    { metric: 'wall', most: 4 },
    { metric: 'longest', most: null, compare: 'alone' },
    { metric: 'stall', most: STALL_MS, compare: 'alone' },
    { metric: 'turn', most: STALL_MS, compare: 'alone' },
    { metric: 'peak', most: CEILING, compare: 'alone' },
  ],
}));
