import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FormatName } from '../../engine/result/formats.ts';
import { formatNanos, type NanoClock, startStopwatch } from '../../engine/run/outcome/clock.ts';
import {
  countTests,
  printTestBody,
  type TestCount,
  type TestResult,
} from '../../engine/run/outcome/test-report.ts';
import { notNull } from '../../invariants/must.ts';
import { printTrace } from '../../invariants/narrow.ts';
import { executionErrors, ResultLimitError } from '../contract/errors.ts';
import { failed } from '../contract/execution-error.ts';
import type { ExecutionError, ExecutionErrorCode, ExecutionOutcome } from '../contract/outcome.ts';
import type { ExecutionSink } from '../contract/outlet.ts';
import type { ExecutionRequest } from '../contract/request.ts';
import type { Execution, ExecutionRegistry } from '../registry/registry.ts';
import { createResultStore, type RecordedResults, type ResultStore } from './recorded-results.ts';
import type { ResultFile, ResultFiles } from './result-files.ts';

/** An asynchronous execution: the entry of the registry, and after its end the outcome. */
export interface AsyncExecution extends Omit<Execution, 'state'> {
  readonly state: Execution['state'] | 'done' | 'failed' | 'cancelled';
  /** Null before its end. */
  readonly endedAt: string | null;
  /** When it is deleted; null before its end. */
  readonly keptUntil: string | null;
  /** Rows of its result, if it has one; of all its results, if they are recorded. */
  readonly rows: number | null;
  /** Whether the results of all its statements are recorded. */
  readonly isRecorded: boolean;
  /** How many tests it ran, and how many failed; null before its end, and without tests. */
  readonly tests: TestCount | null;
  /** Why it failed; also null after an internal error. */
  readonly error: ExecutionError | null;
}

/** The complete result of a successful execution. */
export interface KeptResult {
  readonly startedAt: string;
  readonly format: FormatName;
  readonly bytes: number;
  /** Rejects when it has been deleted. */
  read(): Promise<Readable>;
}

/** The text that an execution runs. */
export interface RunText {
  /** The path of its script; null for SQL. */
  readonly file: string | null;
  /** The block of it that runs; null if all of it runs. */
  readonly block: string | null;
  readonly text: string;
}

/** The recorded results of an execution, and what else it did; before its end, only the results and targets are known. */
export interface Recording
  extends Required<Pick<ExecutionOutcome, 'targets' | 'schemas' | 'warnings'>>,
    Pick<AsyncExecution, 'state'> {
  readonly results: RecordedResults;
  /** Null if it is not kept. */
  readonly text: RunText | null;
  /** Results of tests; null without tests. */
  readonly tests: readonly TestResult[] | null;
}

/** Executions that run without a waiting client, and are kept for a while after their end. */
export interface AsyncExecutions {
  /**
   * Starts one with `run`, which enters it in the registry before it returns. Resolves with null when it is running or
   * queued, and with its outcome when it was rejected, for example because the queue is full. `path` is what `findPath`
   * returns, and `text` is kept with recorded results.
   */
  start(
    request: Pick<ExecutionRequest, 'id' | 'owner' | 'format' | 'recording'> & {
      readonly path: string | null;
      readonly text: RunText | null;
    },
    run: (sink: ExecutionSink, signal: AbortSignal) => Promise<ExecutionOutcome>,
  ): Promise<ExecutionOutcome | null>;
  list(): readonly AsyncExecution[];
  /** The ended ones, as they were on arrival. */
  listEnded(): readonly Execution[];
  /** Resolves after its end, at the latest after `ms` milliseconds; at once if it does not exist. */
  whenEnded(id: string, ms: number): Promise<void>;
  /** What a reader of its results must be able to view in the catalog; null: nothing. */
  findPath(id: string): string | null;
  /** The result of a successful execution; otherwise null, and for one with recorded results. */
  findResult(id: string): KeptResult | null;
  /** The recorded results of an execution; null for an execution without them. */
  findRecording(id: string): Recording | null;
  /** Deletes one that has ended; false if no ended one has this id. */
  forget(id: string): boolean;
  /** Deletes all that match; running ones continue, but their results are discarded. */
  forgetWhere(matches: (execution: Execution) => boolean): void;
}

export interface KeptOptions {
  readonly registry: ExecutionRegistry;
  readonly files: ResultFiles;
  readonly clock: NanoClock;
  /** How long one is kept after its end, in milliseconds. */
  readonly ttlMs: number;
  /** Maximum number for one user. */
  readonly perOwner: number;
  /** Receives internal errors. */
  readonly log: (line: string) => void;
}

type End = Pick<AsyncExecution, 'state' | 'startedAt' | 'rows' | 'error'> & {
  readonly findings: Omit<Recording, 'results' | 'state' | 'text'>;
  readonly endedAt: string;
  readonly keptUntil: string;
  readonly format: FormatName;
};

interface Entry {
  /** The execution as it was on arrival. */
  readonly execution: Execution;
  readonly path: string | null;
  readonly text: RunText | null;
  readonly file: ResultFile;
  /** Null unless the results of all statements are recorded. */
  readonly store: ResultStore | null;
  /** Texts of recorded results; without bytes otherwise. */
  readonly texts: ResultFile;
  readonly ended: Promise<void>;
  end: End | null;
  /** Deletes the entry. */
  timer?: NodeJS.Timeout;
}

/** Keeps executions in memory and their results in `files`. */
export function createAsyncExecutions(options: KeptOptions): AsyncExecutions {
  const { registry, files, clock, ttlMs, perOwner, log } = options;
  const entries = new Map<string, Entry>();

  function forget(id: string): void {
    const entry = entries.get(id);
    clearTimeout(entry?.timer);
    entry?.file.remove();
    entry?.texts.remove();
    entries.delete(id);
    entry?.store?.noteChange();
  }

  async function follow(entry: Omit<Entry, 'ended'>, format: FormatName, running: Promise<ExecutionOutcome>) {
    const { execution, file, texts, store } = entry;
    const outcome = await complete(running, entry).catch((error: unknown) => {
      log(printTrace(error));
      return null;
    });
    await store?.end();
    await file.end();
    await texts.end();
    if (outcome?.status !== 'done' && store === null) file.remove();
    const now = clock();
    entry.end = {
      ...describe(outcome),
      format: outcome?.status === 'done' && outcome.tests !== null ? 'json' : format,
      endedAt: formatNanos(now),
      keptUntil: formatNanos(now + BigInt(ttlMs) * 1_000_000n),
    };
    const { id } = execution;
    if (entries.has(id)) entry.timer = setTimeout(() => forget(id), ttlMs).unref();
    store?.noteChange();
  }

  return {
    async start({ id, owner, format, recording, path, text }, run) {
      const entriesOfOwner = [...entries.values()].filter(({ execution }) => execution.owner === owner);
      if (entriesOfOwner.length >= perOwner) {
        const { message } = executionErrors.tooManyKept(perOwner);
        return failed(startStopwatch(clock), createError('busy', message));
      }
      const file = files.create(id, owner);
      const texts = files.create(`${id}-texts`, owner);
      const store = recording === undefined ? null : createResultStore({ file, texts }, files.limits, clock);
      const running = run(store ?? file, new AbortController().signal);
      const execution = registry.list().find((entered) => entered.id === id);
      if (execution === undefined) return running;
      const entry: Omit<Entry, 'ended'> = { execution, path, text, file, texts, store, end: null };
      entries.set(id, Object.assign(entry, { ended: follow(entry, format, running) }));
      return null;
    },
    ...createLookups(entries, registry),
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

type Lookups = Pick<
  AsyncExecutions,
  'list' | 'listEnded' | 'whenEnded' | 'findPath' | 'findResult' | 'findRecording'
>;

function createLookups(entries: ReadonlyMap<string, Entry>, registry: ExecutionRegistry): Lookups {
  return {
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
    findPath: (id) => entries.get(id)?.path ?? null,
    findResult(id) {
      const { file, store, end } = entries.get(id) ?? {};
      if (file === undefined || store !== null || end?.state !== 'done') return null;
      const { format, startedAt } = end;
      return { format, startedAt: notNull(startedAt), bytes: file.bytes, read: file.read };
    },
    findRecording(id) {
      const entry = entries.get(id);
      if (entry === undefined || entry.store === null) return null;
      const { state, targets } = toKept(entry, registry.list());
      const findings = entry.end?.findings ?? { ...NOTHING, targets };
      return { results: entry.store, state, text: entry.text, ...findings };
    },
  };
}

const NOTHING: End['findings'] = { targets: [], schemas: [], warnings: [], tests: null };

/** Adds an error of the result file to the outcome; rejects for an internal error. */
async function complete(
  running: Promise<ExecutionOutcome>,
  { file, texts, store }: Pick<Entry, 'file' | 'texts' | 'store'>,
): Promise<ExecutionOutcome> {
  const outcome = await running;
  if (outcome.status === 'done' && outcome.tests !== null && file.bytes === 0 && store === null) {
    // Test results are the answer in every requested format.
    await file.write(Buffer.from(printTestBody(outcome.tests, outcome.stats, outcome)))?.catch(() => {});
  }
  const failure = file.failure ?? texts.failure;
  if (failure === null) return outcome;
  const { stats, targets = [], schemas = [] } = outcome;
  return { status: 'failed', stats, targets, schemas, error: toFileError(failure) };
}

function toFileError(failure: Error): ExecutionError {
  if (failure instanceof ResultLimitError) return createError('limit', failure.message);
  return createError('full', 'the disk is full; the result could not be stored');
}

function createError(code: ExecutionErrorCode, message: string): ExecutionError {
  return { code, message, diagnostics: [], stuck: false };
}

/** The stored part of an outcome; null stands for an internal error. */
function describe(
  outcome: ExecutionOutcome | null,
): Pick<End, 'state' | 'startedAt' | 'rows' | 'error' | 'findings'> {
  if (outcome === null)
    return { state: 'failed', startedAt: null, rows: null, error: null, findings: NOTHING };
  const { targets = [], schemas = [], warnings = [] } = outcome;
  const { started_at: startedAt } = outcome.stats;
  if (outcome.status === 'done') {
    const { rows, tests } = outcome;
    return { state: 'done', startedAt, rows, error: null, findings: { targets, schemas, warnings, tests } };
  }
  const { error } = outcome;
  const state = error.code === 'cancelled' ? 'cancelled' : 'failed';
  const findings = { targets, schemas, warnings, tests: null };
  return { state, startedAt: outcome.neverBegan ? null : startedAt, rows: null, error, findings };
}

function toKept({ execution, file, store, end }: Entry, running: readonly Execution[]): AsyncExecution {
  const recorded =
    store === null ? { isRecorded: false } : { isRecorded: true, rows: store.rows, bytes: file.bytes };
  if (end !== null) {
    const { findings, ...ended } = end;
    const tests = findings.tests === null ? null : countTests(findings.tests);
    const { targets } = findings;
    return { ...execution, ...ended, targets, tests, progress: null, bytes: file.bytes, ...recorded };
  }
  const { id } = execution;
  const now = running.find((entered) => entered.id === id) ?? { ...execution, state: 'running' };
  return { ...now, endedAt: null, keptUntil: null, rows: null, tests: null, error: null, ...recorded };
}
