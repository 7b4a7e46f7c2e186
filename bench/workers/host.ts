import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createNanoClock } from '../../src/engine/run/outcome/clock.ts';
import { toStop } from '../../src/execution/contract/cancellation.ts';
import type { ExecutionHost } from '../../src/execution/contract/host.ts';
import { Outlet } from '../../src/execution/contract/outlet.ts';
import type { ExecutionRequest } from '../../src/execution/contract/request.ts';
import { createProcessHost } from '../../src/execution/engine-process/process-host.ts';
import { Runner } from '../../src/execution/in-thread/runner.ts';
import { createRegistry } from '../../src/execution/registry/registry.ts';

// host WHERE FILE MODE [FORMAT] [COUNT] [PERCENT]: measures executions in this thread, or in a separate process. MODE
// `small`: 3,200 × SELECT 42, sixteen at once; `export`: lineitem; `first`: its first byte; `beside`: a percentile of
// SELECT 42 during COUNT exports. The processor time is that of both processes.
const [where = 'process', file = '', mode = 'small', format = 'csv', count = '1', percent = '50'] =
  process.argv.slice(2);
const TICK_MS = 10;

const folder = mkdtempSync(path.join(tmpdir(), 'quern-bench-'));
const clock = createNanoClock();
const host =
  where === 'thread'
    ? createThreadHost(new Runner(clock, { idleMs: 10_000, transactionMs: null }))
    : createProcessHost({
        clock,
        registry: createRegistry({ running: 1_000, queued: 0, perOwner: 1_000 }),
        folder,
        threads: 24,
        memoryCeiling: null,
        log: console.error,
        onCrash: () => undefined,
      });
const limits = {
  timeoutMs: null,
  maxSessions: null,
  maxRows: null,
  spoolBytes: 0,
  spoolDirectory: folder,
  publishDirectory: folder,
};
const connection = { name: 'duckdb', kind: 'duckdb', options: { file }, overrides: {} };

/** Runs like the engine process, without a queue and deadlines. */
function createThreadHost(runner: Runner): ExecutionHost {
  return {
    run(request, outlet, signal, access = {}) {
      outlet.start('');
      return runner.run(request, outlet, toStop(signal), access);
    },
    endSession: (id) => runner.kept.end(id),
    close: () => runner.close(),
  };
}

async function run(
  text: string,
  signal = new AbortController().signal,
  write: () => void = () => {},
): Promise<void> {
  const work = { kind: 'sql', source: { name: 'bench', text } };
  const rest = { id: '1', owner: '1', name: 'bench', params: {}, connection, encoder: {}, limits };
  const outcome = await host.run(
    { ...rest, work, format } as ExecutionRequest,
    new Outlet(() => ({ write })),
    signal,
  );
  if (outcome.status === 'failed' && !signal.aborted) throw new Error(outcome.error.message);
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

/** The processor time of both processes so far, in milliseconds. */
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
  async first() {
    const times: number[] = [];
    for (let i = 0; i < 11; i++) {
      const stop = new AbortController();
      const start = performance.now();
      await run('FROM lineitem', stop.signal, () => {
        if (!stop.signal.aborted) times.push(performance.now() - start);
        stop.abort();
      });
    }
    return times.toSorted((a, b) => a - b)[5];
  },
  async beside() {
    const stop = new AbortController();
    const text = Array(8).fill('FROM lineitem').join(' UNION ALL ');
    const exports = Array.from({ length: Number(count) }, () => run(text, stop.signal));
    const times = await runMany(300);
    stop.abort();
    await Promise.all(exports);
    return times[Number(percent) * 3];
  },
};

// A server that has run for some time is compiled.
for (let i = 0; i < 4 && mode === 'small'; i++) await MODES.small!();
await runMany(50);
const [start, cpu] = [performance.now(), readCpu()];
const beside = await MODES[mode]!();
const wall = beside ?? performance.now() - start;
console.log(JSON.stringify({ wall, cpu: readCpu() - cpu, peak: Number.NaN }));
await host.close();
rmSync(folder, { recursive: true });
