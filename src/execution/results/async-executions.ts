import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sink } from '../../engine/result/columns/sink.ts';
import type { FormatName } from '../../engine/result/formats.ts';
import { type Clock, formatNanos } from '../../engine/run/outcome/clock.ts';
import { startStopwatch } from '../../engine/run/outcome/stopwatch.ts';
import { printTestBody } from '../../engine/run/outcome/test-report.ts';
import { notNull } from '../../invariants/must.ts';
import { printTrace } from '../../invariants/narrow.ts';
import { executionErrors, ResultLimitError } from '../contract/errors.ts';
import { failed } from '../contract/fault.ts';
import type { ExecutionFault, ExecutionOutcome, FaultCode } from '../contract/outcome.ts';
import type { ExecutionRequest } from '../contract/request.ts';
import type { Execution, ExecutionRegistry } from '../registry/registry.ts';
import type { ResultFile, ResultFiles } from './result-files.ts';

/** An execution for which nobody has to wait: as the registry has it, and then with how it ended. */
export interface AsyncExecution extends Omit<Execution, 'state'> {
  readonly state: Execution['state'] | 'done' | 'failed' | 'cancelled';
  /** Null while it has not ended. */
  readonly endedAt: string | null;
  /** When it is forgotten; null while it has not ended. */
  readonly keptUntil: string | null;
  /** Of its result, if it has one. */
  readonly rows: number | null;
  /** Why it failed; null as well of one that failed by a bug. */
  readonly fault: ExecutionFault | null;
}

/** The whole answer of an execution that is done. */
export interface KeptResult {
  readonly startedAt: string;
  readonly format: FormatName;
  readonly bytes: number;
  /** Rejects when it has just been forgotten. */
  read(): Promise<Readable>;
}

/** Executions that go on by themselves, and are kept for a while after they have ended. */
export interface AsyncExecutions {
  /**
   * Starts one with `run`, which enters it in the registry before it returns; resolves with null when it runs or waits,
   * and with its outcome when it was refused, as one too many is.
   */
  start(
    request: Pick<ExecutionRequest, 'id' | 'owner' | 'format'>,
    run: (sink: Sink, signal: AbortSignal) => Promise<ExecutionOutcome>,
  ): Promise<ExecutionOutcome | null>;
  list(): readonly AsyncExecution[];
  /** Those that have ended, as they were when they came. */
  listEnded(): readonly Execution[];
  /** Resolves when it has ended, at once when it is not there, and in any case after so many milliseconds. */
  whenEnded(id: string, ms: number): Promise<void>;
  /** Of one that is done; null of any other. */
  findResult(id: string): KeptResult | null;
  /** Forgets one that has ended; false where there is none of this id. */
  forget(id: string): boolean;
  /** Forgets every one that matches; what runs of them goes on, and leaves nothing. */
  forgetWhere(matches: (execution: Execution) => boolean): void;
}

export interface KeptOptions {
  readonly registry: ExecutionRegistry;
  readonly files: ResultFiles;
  readonly clock: Clock;
  /** For how long one is kept after its end, in milliseconds. */
  readonly ttlMs: number;
  /** How many of one user there may be. */
  readonly perOwner: number;
  /** Takes what a bug says. */
  readonly log: (line: string) => void;
}

type End = Pick<AsyncExecution, 'state' | 'startedAt' | 'rows' | 'fault'> & {
  readonly endedAt: string;
  readonly keptUntil: string;
  readonly format: FormatName;
};

interface Entry {
  /** As it was when it came. */
  readonly execution: Execution;
  readonly file: ResultFile;
  readonly ended: Promise<void>;
  end: End | null;
  /** Forgets it. */
  timer?: NodeJS.Timeout;
}

/** Keeps executions in memory, and their results in `files`. */
export function createAsyncExecutions(options: KeptOptions): AsyncExecutions {
  const { registry, files, clock, ttlMs, perOwner, log } = options;
  const entries = new Map<string, Entry>();

  function forget(id: string): void {
    const entry = entries.get(id);
    clearTimeout(entry?.timer);
    entry?.file.remove();
    entries.delete(id);
  }

  async function follow(entry: Omit<Entry, 'ended'>, format: FormatName, running: Promise<ExecutionOutcome>) {
    const { execution, file } = entry;
    const outcome = await complete(running, file).catch((error: unknown) => {
      log(printTrace(error));
      return null;
    });
    await file.end();
    if (outcome?.status !== 'done') file.remove();
    const now = clock();
    entry.end = {
      ...describe(outcome),
      format: outcome?.status === 'done' && outcome.tests !== null ? 'json' : format,
      endedAt: formatNanos(now),
      keptUntil: formatNanos(now + BigInt(ttlMs) * 1_000_000n),
    };
    const { id } = execution;
    if (entries.has(id)) entry.timer = setTimeout(() => forget(id), ttlMs).unref();
  }

  return {
    async start({ id, owner, format }, run) {
      const own = [...entries.values()].filter(({ execution }) => execution.owner === owner);
      if (own.length >= perOwner) {
        const { message } = executionErrors.tooManyKept(perOwner);
        return failed(startStopwatch(clock), createFault('busy', message));
      }
      const file = files.create(id, owner);
      const running = run(file, new AbortController().signal);
      const execution = registry.list().find((entered) => entered.id === id);
      if (execution === undefined) return running;
      const entry: Omit<Entry, 'ended'> = { execution, file, end: null };
      entries.set(id, Object.assign(entry, { ended: follow(entry, format, running) }));
      return null;
    },
    list() {
      const running = registry.list();
      return [...entries.values()].map((entry) => toKept(entry, running));
    },
    listEnded: () => [...entries.values()].flatMap(({ execution, end }) => (end === null ? [] : execution)),
    async whenEnded(id, ms) {
      const late = new AbortController();
      const waited = sleep(ms, undefined, { signal: late.signal }).catch(() => undefined);
      await Promise.race([entries.get(id)?.ended, waited]);
      late.abort();
    },
    findResult(id) {
      const { file, end } = entries.get(id) ?? {};
      if (file === undefined || end?.state !== 'done') return null;
      const { format, startedAt } = end;
      return { format, startedAt: notNull(startedAt), bytes: file.bytes, read: file.read };
    },
    forget(id) {
      const isThere = entries.get(id)?.end != null;
      if (isThere) forget(id);
      return isThere;
    },
    forgetWhere(matches) {
      for (const [id, { execution }] of entries) if (matches(execution)) forget(id);
    },
  };
}

/** The outcome with whatever keeps its result from being whole in its file; rejects for a bug. */
async function complete(running: Promise<ExecutionOutcome>, file: ResultFile): Promise<ExecutionOutcome> {
  const outcome = await running;
  if (outcome.status === 'done' && outcome.tests !== null && file.bytes === 0) {
    // Tests are the answer in whatever format was asked for.
    await file
      .write(Buffer.from(printTestBody(outcome.tests, outcome.stats, outcome.warnings)))
      ?.catch(() => {});
  }
  if (file.failure === null) return outcome;
  return { status: 'failed', stats: outcome.stats, fault: toFileFault(file.failure) };
}

function toFileFault(failure: Error): ExecutionFault {
  if (failure instanceof ResultLimitError) return createFault('limit', failure.message);
  return createFault('full', 'there is no room for the result on the disk');
}

function createFault(code: FaultCode, message: string): ExecutionFault {
  return { code, message, diagnostics: [], stuck: false };
}

/** What is kept of an outcome; null is that of a bug. */
function describe(outcome: ExecutionOutcome | null): Pick<End, 'state' | 'startedAt' | 'rows' | 'fault'> {
  if (outcome === null) return { state: 'failed', startedAt: null, rows: null, fault: null };
  const { started_at: startedAt } = outcome.stats;
  if (outcome.status === 'done') return { state: 'done', startedAt, rows: outcome.rows, fault: null };
  const { fault } = outcome;
  const state = fault.code === 'cancelled' ? 'cancelled' : 'failed';
  return { state, startedAt: outcome.neverBegan ? null : startedAt, rows: null, fault };
}

function toKept({ execution, file, end }: Entry, running: readonly Execution[]): AsyncExecution {
  if (end !== null) return { ...execution, ...end, bytes: file.bytes };
  const { id } = execution;
  const now = running.find((own) => own.id === id) ?? { ...execution, state: 'running' };
  return { ...now, endedAt: null, keptUntil: null, rows: null, fault: null };
}
