import { setTimeout as sleep } from 'node:timers/promises';
import type { DiskUse } from '../../engine/connection/contract/disk-limit.ts';
import type { Clock } from '../../engine/run/outcome/clock.ts';
import { untilAborted } from '../../engine/text/interruptible.ts';
import type { Grace } from '../contract/cancellation.ts';
import { executionErrors } from '../contract/errors.ts';
import type { ExecutionHost } from '../contract/host.ts';
import type { ExecutionRequest } from '../contract/request.ts';
import type { ExecutionRegistry } from '../registry/registry.ts';
import { runInTurn } from '../registry/run-in-turn.ts';
import { EngineHandle, type EngineOptions } from './engine-handle.ts';
import { followJob, type Job, loseJob } from './engine-job.ts';

export interface ProcessHostOptions extends EngineOptions {
  readonly clock: Clock;
  readonly registry: ExecutionRegistry;
}

/**
 * Whether executions can run: a process is there, or can be expected to start with the next one; another one starts in
 * place of the last; or none starts.
 */
export type EngineState = 'ready' | 'restarting' | 'failed';

/** A host that runs everything in a process of its own, which it starts when there is something to run. */
export interface ProcessHost extends ExecutionHost {
  /** Of the process that there is now; null while there is none. */
  readonly pid: number | null;
  /** Has a process start when the last start has failed: the next execution may never be sent. */
  readState(): EngineState;
  /** What databases use of the disk, as far as a process has measured that. */
  readDiskUse(): readonly DiskUse[];
  /** Ends the process, and with it all that runs; the next execution has a new one. */
  release(): Promise<void>;
}

/**
 * How long a statement may ignore that it is to stop before everything ends that runs beside it: with a deadline
 * somebody is promised an answer, while nobody waits for a cancelled one.
 */
const GRACE: Grace = { timeout: 2_000, cancelled: 10_000 };

/** How long drivers take at most to part with a server, in milliseconds. */
const PARTING_MS = 20_000;

/** A process that ends by itself so soon, in milliseconds, is started again only after a pause, a longer one each time. */
const SOON_MS = 10_000;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 10_000;

/**
 * A host for executions of many people: whatever one does to the process that runs it, the others are told, and the
 * next ones run in a new process. What a database has acknowledged it keeps. Faults of executions that were lost with
 * the process have the code `lost`.
 */
export function createProcessHost({ clock, registry, ...options }: ProcessHostOptions): ProcessHost {
  let uses: readonly DiskUse[] = [];
  const onDiskUse = (found: typeof uses) => {
    uses = found;
    options.onDiskUse?.(found);
  };
  const engines = createSupply({ ...options, onDiskUse });
  return {
    get pid() {
      return engines.pid();
    },
    readState: () => engines.readState(),
    readDiskUse: () => uses,
    run: (request, sink, signal, translate) =>
      runInTurn(
        { clock, registry, grace: GRACE },
        request,
        sink,
        signal,
        async ({ sink, cancellation, watch }) => {
          const engine = await untilAborted(engines.get(), cancellation.signal);
          const limits = { ...request.limits, timeoutMs: null };
          const job = engine.start({ ...request, limits, started: watch.started }, translate);
          cancellation.stuck.then(() => giveUp(engine, job, request));
          return followJob(job, sink, cancellation);
        },
      ),
    release: () => engines.release(),
    close: () => engines.close(),
  };
}

/**
 * Ends an execution that was told to stop and goes on: one in DuckDB with its process. One elsewhere is only waited for
 * no more: its driver parts with a server that does not answer, and what others run need not suffer.
 */
function giveUp(engine: EngineHandle, job: Job, { connection, owner }: ExecutionRequest): void {
  const kill = () => engine.kill('stuck', owner);
  if (connection.kind === 'duckdb') {
    kill();
    return;
  }
  loseJob(job, executionErrors.engineRestarted());
  const timer = setTimeout(kill, PARTING_MS);
  job.over.promise.then(() => clearTimeout(timer));
}

/** After so many failed starts in a row, none is expected to succeed. */
const MAX_FAILED_STARTS = 2;

/** The one engine that there is, and the next one when that is lost. */
function createSupply(options: EngineOptions) {
  let current: Promise<EngineHandle> | null = null;
  let running: EngineHandle | null = null;
  let previous: Promise<unknown> = Promise.resolve();
  let crashes = 0;
  let failedStarts = 0;
  let hasStarted = false;
  const closing = new AbortController();

  async function startNext(): Promise<EngineHandle> {
    // A database is open in one process at a time.
    await previous;
    await pauseAfter(crashes, closing.signal);
    if (closing.signal.aborted) throw executionErrors.engineClosed();
    const started = performance.now();
    const engine = await EngineHandle.start(options);
    running = engine;
    hasStarted = true;
    failedStarts = 0;
    previous = engine.gone.then((byItself) => {
      const isSoon = performance.now() - started < SOON_MS;
      crashes = byItself && isSoon ? crashes + 1 : 0;
    });
    engine.lost.then(forget);
    return engine;
  }

  async function release(): Promise<void> {
    const engine = await current?.catch(() => null);
    await engine?.close();
    await engine?.lost;
    await previous;
  }

  function forget(): void {
    current = null;
    running = null;
  }

  function get(): Promise<EngineHandle> {
    if (closing.signal.aborted) throw executionErrors.engineClosed();
    current ??= startNext().catch((error: unknown) => {
      crashes += 1;
      failedStarts += 1;
      forget();
      throw error;
    });
    return current;
  }

  function readState(): EngineState {
    if (failedStarts > 0 && !closing.signal.aborted) get().catch(() => {});
    if (failedStarts >= MAX_FAILED_STARTS) return 'failed';
    const isStarting = current !== null && running === null;
    return isStarting && (hasStarted || failedStarts > 0) ? 'restarting' : 'ready';
  }

  return {
    pid: () => running?.pid ?? null,
    get,
    readState,
    release,
    close() {
      closing.abort();
      return release();
    },
  };
}

async function pauseAfter(crashes: number, signal: AbortSignal): Promise<void> {
  if (crashes < 2) return;
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** (crashes - 2), MAX_PAUSE_MS);
  await sleep(pause, undefined, { signal, ref: false }).catch(() => {});
}
