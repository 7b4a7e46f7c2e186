import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionSpec } from '../../engine/connection/contract/connection.ts';
import type { DiskUse } from '../../engine/connection/contract/disk-limit.ts';
import { type NanoClock, startStopwatch } from '../../engine/run/outcome/clock.ts';
import { untilAborted } from '../../engine/text/finish-in-pieces.ts';
import { type Grace, startCancellation } from '../contract/cancellation.ts';
import { executionErrors } from '../contract/errors.ts';
import { failed, toExecutionError } from '../contract/execution-error.ts';
import type { ExecutionHost } from '../contract/host.ts';
import { findRequestedConnection, isInspection } from '../contract/request.ts';
import type { ExecutionRegistry } from '../registry/registry.ts';
import { EngineHandle, type EngineOptions } from './engine-handle.ts';

export interface ProcessHostOptions extends EngineOptions {
  readonly clock: NanoClock;
  readonly registry: ExecutionRegistry;
  /** Receives the user of an execution that has ended, but not its process. */
  readonly onEnd?: ((owner: string) => void) | undefined;
}

/**
 * `ready`: a process runs, or is expected to start with the next execution; `restarting`: the next process is starting;
 * `failed`: no process starts.
 */
export type EngineState = 'ready' | 'restarting' | 'failed';

/** A host that runs everything in a separate process, which it starts when there is work. */
export interface ProcessHost extends ExecutionHost {
  /** Id of the current process; null if no process runs. */
  readonly pid: number | null;
  /** Returns the state. After a failed start it also starts a process, because clients may wait for a better state. */
  readState(): EngineState;
  /** The disk use of databases, as far as a process has measured it. */
  readDiskUse(): readonly DiskUse[];
  /** Ends the process and all its executions; the next execution starts a new process. */
  release(): Promise<void>;
}

/**
 * How long a statement may ignore a stop before the process and all its executions end. It is short after a deadline,
 * because the client expects an answer by then, and long after a cancellation.
 */
const GRACE: Grace = { timeout: 2_000, cancelled: 10_000 };

/**
 * A process that ends by itself within this time, in milliseconds, is started again after a pause, which doubles each
 * time.
 */
const SOON_MS = 10_000;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 10_000;

/**
 * A host for executions of many users: if one execution ends the process, the others fail and the next ones run in a
 * new process. Changes that a database has acknowledged are kept. An execution that was lost with the process fails
 * with the code `lost`.
 */
export function createProcessHost({ clock, registry, onEnd, ...options }: ProcessHostOptions): ProcessHost {
  let uses: readonly DiskUse[] = [];
  const onDiskUse = (diskUse: typeof uses) => {
    uses = diskUse;
    options.onDiskUse?.(diskUse);
  };
  const engines = createSupply({ ...options, onDiskUse });
  return {
    get pid() {
      return engines.pid();
    },
    readState: () => engines.readState(),
    readDiskUse: () => uses,
    async run(request, outlet, signal, access = {}) {
      // The deadline includes the time in the queue, so that no request waits longer than it may run; the stats start
      // when it leaves the queue.
      const cancellation = startCancellation(signal, request.limits, GRACE);
      let watch = startStopwatch(clock);
      let leave: (() => void) | null = null;
      const onTurn = () => {
        watch = startStopwatch(clock);
        outlet.start(watch.startedAt);
      };
      try {
        const { id, owner, name, token = null, session = null, connection, work } = request;
        const entry = {
          id,
          owner,
          token,
          session,
          name,
          connection: findRequestedConnection(request),
          needsUse: isInspection(work) ? undefined : findUsed(connection),
          requestedAt: watch.startedAt,
        };
        leave = await registry.enter(entry, { outlet, cancellation, onTurn });
        const engine = await untilAborted(engines.get(), cancellation.signal);
        const started = { ...request, started: watch.started };
        const outcome = await engine.run(started, outlet, cancellation, access);
        onEnd?.(owner);
        return outcome;
      } catch (error) {
        const outcome = failed(watch, toExecutionError(error, cancellation), outlet.targets);
        return leave === null ? { ...outcome, neverBegan: true } : outcome;
      } finally {
        cancellation.end();
        leave?.();
      }
    },
    async endSession(id) {
      engines.current()?.endSession(id);
    },
    release: () => engines.release(),
    close: () => engines.close(),
  };
}

/** After this number of failed starts in a row, no start is expected to succeed. */
const MAX_FAILED_STARTS = 2;

/** Provides the current engine, and a new one when that is lost. */
function createSupply(options: EngineOptions) {
  let current: Promise<EngineHandle> | null = null;
  let running: EngineHandle | null = null;
  let previous: Promise<unknown> = Promise.resolve();
  let crashes = 0;
  let failedStarts = 0;
  let hasStarted = false;
  const closing = new AbortController();

  async function startNext(): Promise<EngineHandle> {
    // A database can be open in one process only.
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
    current: () => running,
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

/** The connection on which the user needs USE; undefined for a run that only reads. */
function findUsed({ name, level, mayPublish = false }: ConnectionSpec): string | undefined {
  return level === 'READ' && !mayPublish ? undefined : name;
}
