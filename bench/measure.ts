import { spawn } from 'node:child_process';
import type { Figures } from './bench.ts';

/** Runs a program that prints its figures as JSON on its last line; rejects when it fails. */
export async function measureWorker(command: string, args: readonly string[]): Promise<Figures> {
  let output = '';
  await run(command, args, undefined, (part) => {
    output += part;
  });
  return JSON.parse(output.trimEnd().split('\n').at(-1) ?? '');
}

/** Measures the run of a program, and ignores its output. */
export async function measureProcess(
  command: string,
  args: readonly string[],
  cwd: string,
): Promise<Figures> {
  const start = performance.now();
  await run(command, args, cwd);
  return { wall: performance.now() - start, cpu: Number.NaN, peak: Number.NaN };
}

/** A percentile of the time of several rounds, in microseconds, which are reported as milliseconds. */
export async function measureShare(
  work: (round: number) => unknown,
  share: number,
  rounds: number,
): Promise<Figures> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await work(round);
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  return { wall: times[Math.floor(times.length * share)]! * 1000, cpu: Number.NaN, peak: Number.NaN };
}

/** Runs a program, and passes on its output, which can be larger than a string. */
function run(
  command: string,
  args: readonly string[],
  cwd?: string,
  take: (part: Buffer) => void = () => undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, QUERN_HOME: '', NODE_NO_WARNINGS: '1' };
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env, ...(cwd ? { cwd } : {}) });
    let errors = '';
    child.stdout.on('data', take);
    child.stderr.on('data', (part) => {
      errors += part;
    });
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${command} ${args.join(' ')}: ${code} ${errors}`));
    });
  });
}

/** The figures of this process since `start`, a `performance.now()`; a worker prints them on its last line. */
export function readFigures(start: number, cpuBefore: NodeJS.CpuUsage): Figures {
  const { user, system } = process.cpuUsage(cpuBefore);
  const peak = process.resourceUsage().maxRSS / 1024;
  return { wall: performance.now() - start, cpu: (user + system) / 1000, peak };
}
