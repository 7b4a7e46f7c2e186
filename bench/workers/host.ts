import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClock } from '../../src/engine/run/clock.ts';
import { createInThreadHost } from '../../src/execution/in-thread.ts';
import { createProcessHost } from '../../src/execution/process-host.ts';
import { createRegistry } from '../../src/execution/registry.ts';
import type { ExecutionRequest } from '../../src/execution/request.ts';

// host WHERE FILE MODE [FORMAT]: what executions take in this thread, or in a process of their own. MODE `small`: 3,200
// of SELECT 42, sixteen at once; `export`: lineitem; `beside`: the median of SELECT 42 while an export goes on; `idle`:
// the same without one. The processor time is that of both processes.
const [where = 'process', file = '', mode = 'small', format = 'csv'] = process.argv.slice(2);
const TICK_MS = 10;

const folder = mkdtempSync(path.join(tmpdir(), 'quern-bench-'));
const parts = { clock: createClock(), registry: createRegistry() };
const host =
  where === 'thread'
    ? createInThreadHost({ ...parts, idleMs: 10_000 })
    : createProcessHost({ ...parts, folder, threads: 24, memoryCeiling: null, log: console.error });
const limits = {
  timeoutMs: null,
  maxSessions: null,
  maxRows: null,
  spoolBytes: 0,
  spoolDirectory: folder,
  publishDirectory: folder,
};
const connection = { name: 'duckdb', kind: 'duckdb', options: { file }, overrides: {} };

async function run(text: string, signal = new AbortController().signal): Promise<void> {
  const work = { kind: 'sql', source: { name: 'bench', text } };
  const rest = { id: '1', owner: '1', params: {}, connection, encoder: {}, limits };
  const outcome = await host.run({ ...rest, work, format } as ExecutionRequest, { write: () => {} }, signal);
  if (outcome.status === 'failed' && !signal.aborted) throw new Error(outcome.fault.message);
}

async function runMany(count: number): Promise<readonly number[]> {
  const times: number[] = [];
  for (let i = 0; i < count; i += 1) {
    const start = performance.now();
    await run('SELECT 42');
    times.push(performance.now() - start);
  }
  return times.toSorted((a, b) => a - b);
}

/** Milliseconds of both processes so far. */
function readCpu(): number {
  const { user, system } = process.cpuUsage();
  const pid = 'pid' in host ? host.pid : null;
  if (pid === null) return (user + system) / 1000;
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (user + system) / 1000 + (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

const MODES: Readonly<Record<string, () => Promise<number | undefined>>> = {
  small: async () => void (await Promise.all(Array.from({ length: 16 }, () => runMany(200)))),
  export: async () => void (await run('FROM lineitem')),
  idle: async () => (await runMany(300))[150],
  async beside() {
    const stop = new AbortController();
    const exported = run('FROM lineitem UNION ALL FROM lineitem UNION ALL FROM lineitem', stop.signal);
    const times = await runMany(300);
    stop.abort();
    await exported;
    return times[150];
  },
};

await runMany(50);
const [start, cpu] = [performance.now(), readCpu()];
const median = await MODES[mode]!();
const wall = median ?? performance.now() - start;
console.log(JSON.stringify({ wall, cpu: readCpu() - cpu, peak: Number.NaN }));
await host.close();
rmSync(folder, { recursive: true });
