// Runs of many users on one server. A request is authorized, then it waits its turn: the queue is fair between users.
// The engine is another process, which can fail without the server.

import type { Readable } from 'node:stream';
import type { DiskLimit, DiskUse } from '../../engine/connection/contract/disk-limit.ts';
import type { Sink } from '../../engine/result/columns/sink.ts';
import { createNanoClock } from '../../engine/run/outcome/clock.ts';
import type { ExecutionHost } from '../../execution/contract/host.ts';
import type { ExecutionErrorCode, ExecutionOutcome } from '../../execution/contract/outcome.ts';
import { Outlet } from '../../execution/contract/outlet.ts';
import type { ExecutionLimits, ExecutionRequest } from '../../execution/contract/request.ts';
import { createProcessHost, type EngineState } from '../../execution/engine-process/process-host.ts';
import { createCrashLimit } from '../../execution/registry/crash-limit.ts';
import {
  createRegistry,
  type Execution,
  type ExecutionRegistry,
  type RegistryLimits,
} from '../../execution/registry/registry.ts';
import type {
  AsyncExecution,
  AsyncExecutions,
  KeptResult,
  Recording,
} from '../../execution/results/async-executions.ts';
import type { Conversion } from '../../execution/results/convert-result.ts';
import type { Principal } from '../../identity/principal/principal.ts';
import { defaultOf } from '../../settings/read-settings.ts';
import { SETTINGS } from '../../settings/table.ts';
import { runErrors } from '../api/errors.ts';
import type { ExecutionBody } from '../api/execution-body.ts';
import type { ServedRequest } from '../api/workspace-api.ts';
import { createRunFolder, type Home, removeFolder } from '../home/home.ts';
import type { ReleaseDatabaseFiles } from '../home/release-database-files.ts';
import { createUseLog } from '../limits/disk-warnings.ts';
import { planMemory } from '../limits/memory-plan.ts';
import type { Services } from '../services/services.ts';
import type { Failed } from './collect-work.ts';
import { type Confines, confine, createSandbox, hideFiles, planFolders } from './confine.ts';
import { createConverter } from './convert-results.ts';
import { createFileAccess, planConfinement } from './engine-files.ts';
import { findResultLimit, type KeepOptions, keepExecutions, withKept } from './open-async-executions.ts';
import {
  type Admitted,
  createPrepare,
  type Prepared,
  prepareSent,
  toCaller,
  type Wired,
  type WiredFiles,
} from './prepare-executions.ts';
import type { Recorder, Tally } from './record-queries.ts';
import { type QueryLogSettings, startRecording } from './start-recording.ts';
import { findReadPath } from './to-execution-request.ts';
import { watchRights } from './watch-rights.ts';

/** Returns the sink of a result when its first bytes are available; `startedAt` is the start time of the execution. */
type OpenAnswer = (startedAt: string) => Sink;

/** An asynchronous execution that runs or waits. */
interface Started {
  readonly status: 'started';
  readonly id: string;
}

/** Concurrent executions of many users on one instance, each under a separate principal, and all in a sandbox. */
export interface Executions extends ExecutionList {
  /**
   * Runs a request of a principal, who needs VIEW on scripts and USE on the connection. Rejects with a ServiceError if
   * the request is refused before it is queued; the path is checked before the connection.
   */
  run(
    principal: Principal,
    request: ServedRequest,
    open: OpenAnswer,
    signal: AbortSignal,
  ): Promise<ExecutionOutcome>;
  /**
   * Like `run`, but asynchronous: resolves when the execution runs or waits. The execution and its result are kept for
   * a while after its end. A refused request is a failed outcome.
   */
  start(principal: Principal, request: ServedRequest): Promise<Started | Failed>;
  /**
   * Runs a request that a command on this home has authorized and collected for a principal, in the sandbox and with the
   * folders of this process. An execution that ends because these executions are closed fails with the code `lost`.
   */
  runSent(
    principal: Principal,
    request: ExecutionRequest,
    sink: Sink,
    signal: AbortSignal,
  ): Promise<ExecutionOutcome>;
  /** Releases the DuckDB files of this process to another process. */
  readonly holdFiles: ReleaseDatabaseFiles;
  /** Cancels an execution that `list` shows, or deletes an ended one. Throws 404 for any other. */
  cancel(principal: Principal, id: string): void;
  /** Waits until a kept execution has ended, at most `ms` milliseconds. */
  whenEnded(id: string, ms: number): Promise<void>;
  /**
   * The result of an execution that `list` shows; null if it is not done, or not kept. Throws 404 for any other, and if
   * the principal may not view its script any more.
   */
  findResult(principal: Principal, id: string): KeptResult | null;
  /** As `findResult`, for the recorded results. Throws 404 also without recorded results. */
  findRecording(principal: Principal, id: string): Recording;
  /** Converts a recorded result of a principal. Throws 429 when too many are being converted. */
  convert(principal: Principal, conversion: Conversion): Readable;
  /** Whether executions can run now. */
  readEngine(): EngineState;
  /** The last measured disk usage of databases. */
  readDiskUse(): readonly DiskUse[];
  /** Numbers of running, waiting and ended executions. */
  readFigures(): ExecutionFigures;
  /** Stops running executions. */
  close(): Promise<void>;
}

/** Figures about all executions; those of ended ones count from the start of the server. */
interface ExecutionFigures extends Tally {
  readonly running: number;
  readonly queued: number;
}

/** Options of a server's executions; defaults depend on the machine. */
export interface ExecutionOptions extends KeepOptions {
  /** Receives log lines for the operator, for example those of the engine process. */
  readonly log: (line: string) => void;
  readonly limits?: Partial<RegistryLimits>;
  /** The default time limit of an execution, in milliseconds. */
  readonly timeoutMs?: number;
  /** Default: executions are not logged. */
  readonly queryLog?: QueryLogSettings;
  /** The maximum size of SQL that is not in a script, in megabytes. */
  readonly sqlMegabytes?: number;
  /** The memory limit of each DuckDB database, in bytes. */
  readonly memory?: number;
  /** The disk quota of each DuckDB database, and of each user's published files. */
  readonly disk?: DiskLimit;
}

/** The maximum of running and waiting executions. */
const LIMITS: RegistryLimits = {
  running: defaultOf(SETTINGS.execRunning),
  queued: defaultOf(SETTINGS.execQueued),
  perOwner: defaultOf(SETTINGS.execPerUser),
};
/** Threads in addition to those of running statements: for files, name lookup, and further sessions of an execution. */
const SPARE_THREADS = 8;

/** The executions of an open home. */
export function createExecutions(home: Home, wired: Wired, options: ExecutionOptions): Executions {
  const { services } = wired;
  const clock = createNanoClock();
  const limits = { ...LIMITS, ...options.limits };
  const crashLimit = createCrashLimit((owner, seconds) => reportPause(services, options.log, owner, seconds));
  const registry = createRegistry(limits, crashLimit);
  const runFolder = createRunFolder(home);
  const memory = planMemory(options.memory ?? defaultOf(SETTINGS.execMemory));
  const { disk = defaultOf(SETTINGS.execDisk) } = options;
  const sandbox = createSandbox(home, runFolder, memory.database, disk);
  const { recorder, closeLog } = startRecording({ home, services, clock, settings: options.queryLog });
  const processHost = createProcessHost({
    clock,
    registry,
    folder: runFolder,
    cwd: home.files,
    threads: limits.running + SPARE_THREADS,
    memoryCeiling: memory.ceiling,
    confinement: planConfinement(home, runFolder, services.connections, options.log),
    onCrash: crashLimit.note,
    onEnd: crashLimit.noteEnd,
    onDiskUse: createUseLog(options.log),
    log: options.log,
  });
  const { holdFiles, openFiles } = createFileAccess(registry, processHost);
  const asyncExecutions = keepExecutions(home, registry, clock, options);
  const { list, get } = createExecutionList(registry, asyncExecutions, services);
  const stopWatching = watchRights(withKept(registry, asyncExecutions), services);
  const closing = new AbortController();
  const confines = { folders: planFolders(home, runFolder, disk), sandbox };
  const prepare = createPrepare({
    ...wired,
    ...confines,
    openFiles,
    recorder,
    timeLimit: findTimeLimit(options.timeoutMs),
    sqlMegabytes: options.sqlMegabytes ?? defaultOf(SETTINGS.execSqlSize),
    resultBytes: findResultLimit(options),
  });

  return {
    ...createRuns(
      { ...wired, openFiles },
      { host: processHost, recorder, asyncExecutions, prepare, confines, closing: closing.signal },
    ),
    holdFiles,
    list,
    get,
    cancel: (principal, id) => {
      const { state } = get(principal, id);
      if (state === 'queued' || state === 'running') registry.cancel(id);
      else asyncExecutions.forget(id);
    },
    ...createResults(asyncExecutions, get, services),
    readEngine: processHost.readState,
    readDiskUse: processHost.readDiskUse,
    readFigures: () => ({ ...recorder.readTally(), ...countStates(registry) }),
    async close() {
      closing.abort();
      stopWatching();
      registry.cancelWhere(() => true);
      await processHost.close();
      await recorder.settle();
      closeLog();
      asyncExecutions.close();
      removeFolder(runFolder);
    },
  };
}

/** Creates the functions that read results. */
function createResults(
  asyncExecutions: AsyncExecutions,
  get: ExecutionList['get'],
  { catalog }: Pick<Services, 'catalog'>,
): Pick<Executions, 'whenEnded' | 'findResult' | 'findRecording' | 'convert'> {
  function checkReadable(principal: Principal, id: string): void {
    get(principal, id);
    const path = asyncExecutions.findPath(id);
    if (path !== null) catalog.checkVisible(principal, path);
  }

  return {
    whenEnded: asyncExecutions.whenEnded,
    findResult(principal, id) {
      checkReadable(principal, id);
      return asyncExecutions.findResult(id);
    },
    findRecording(principal, id) {
      checkReadable(principal, id);
      const recording = asyncExecutions.findRecording(id);
      if (recording === null) throw runErrors.notRecorded(id);
      return recording;
    },
    convert: createConverter(),
  };
}

interface RunParts {
  readonly host: ExecutionHost;
  readonly recorder: Recorder;
  readonly asyncExecutions: AsyncExecutions;
  readonly prepare: ReturnType<typeof createPrepare>;
  readonly confines: Confines;
  /** Aborted when the executions are closed. */
  readonly closing: AbortSignal;
}

/** Creates the functions that queue executions. */
function createRuns(
  wired: WiredFiles,
  { host, recorder, asyncExecutions, prepare, confines, closing }: RunParts,
): Pick<Executions, 'run' | 'start' | 'runSent'> {
  /** Queues, runs and records a request; it is in the list before this function returns. */
  function admit({ execution, translate }: Admitted, open: OpenAnswer, signal: AbortSignal) {
    const outlet = new Outlet(open);
    return recorder.follow({ request: execution, outlet, signal }, () =>
      host.run(execution, outlet, signal, translate),
    );
  }

  async function runPrepared(prepared: Prepared, open: OpenAnswer, signal: AbortSignal) {
    const outcome = await admit(prepared, open, signal);
    return prepared.showsFiles ? outcome : hideFiles(outcome, prepared.execution.connection);
  }

  return {
    async run(principal, request, open, signal) {
      const prepared = await prepare(principal, request);
      return prepared.status === 'failed' ? prepared : runPrepared(prepared, open, signal);
    },
    async start(principal, request) {
      const prepared = await prepare(principal, request);
      if (prepared.status === 'failed') return prepared;
      const { execution } = prepared;
      const run = (file: Sink, signal: AbortSignal) => runPrepared(prepared, () => file, signal);
      const path = findReadPath(request.target, execution.work);
      const refused = await asyncExecutions.start({ ...execution, path }, run);
      return refused?.status === 'failed' ? refused : { status: 'started', id: execution.id };
    },
    async runSent(principal, request, sink, signal) {
      const sent = await prepareSent(wired, principal, request);
      if (sent.status === 'failed') return sent;
      const execution = { ...confine(request, confines), ...toCaller(principal) };
      const outcome = await admit({ execution, translate: sent.translate }, () => sink, signal);
      return closing.aborted ? toStopped(outcome) : outcome;
    },
  };
}

const ENDED: readonly ExecutionErrorCode[] = ['cancelled', 'lost'];

/** A stopped server is reported neither as a cancellation nor as an internal error. */
function toStopped(outcome: ExecutionOutcome): ExecutionOutcome {
  if (outcome.status === 'done' || !ENDED.includes(outcome.error.code)) return outcome;
  const message = 'the server on this home was stopped; run it again';
  return { ...outcome, error: { ...outcome.error, code: 'lost', message } };
}

/** The time limit of executions, and who sets it; `timeoutMs` is that of the settings. */
function findTimeLimit(timeoutMs: number | undefined): Pick<ExecutionLimits, 'timeoutMs' | 'timeoutSource'> {
  const usual = defaultOf(SETTINGS.execTimeout) * 1_000;
  const setting = `\`${SETTINGS.execTimeout.key}\``;
  return timeoutMs === undefined || timeoutMs === usual
    ? { timeoutMs: usual, timeoutSource: `the default of ${setting}` }
    : { timeoutMs, timeoutSource: setting };
}

/** Reports that a user's executions are paused, because they crashed the engine process too often. */
function reportPause(
  { users, audit }: Services,
  log: (line: string) => void,
  owner: string,
  seconds: number,
): void {
  const name = users.findById(owner)?.userName ?? owner;
  log(`executions of ${name} wait for ${seconds} s: they have crashed the engine process repeatedly`);
  audit.recordVisitor({ address: null, requestId: null }, { action: 'execution.pause', object: name });
}

function countStates(registry: ExecutionRegistry): Pick<ExecutionFigures, 'running' | 'queued'> {
  const running = registry.list().filter(({ state }) => state === 'running').length;
  return { running, queued: registry.list().length - running };
}

/** The executions that a principal may see. */
interface ExecutionList {
  /** The principal's running, waiting and kept executions, oldest first; for an administrator, those of all users. */
  list(principal: Principal): readonly ExecutionBody[];
  /** An execution that `list` shows. Throws 404 for any other. */
  get(principal: Principal, id: string): ExecutionBody;
}

/** Combines running, waiting and kept executions. */
function createExecutionList(
  registry: ExecutionRegistry,
  asyncExecutions: AsyncExecutions,
  { users }: Pick<Services, 'users'>,
): ExecutionList {
  const printUser = (id: string) => users.findById(id)?.userName ?? id;

  function list({ superUser, userId }: Principal): readonly ExecutionBody[] {
    const known = asyncExecutions.list();
    const ids = new Set(known.map(({ id }) => id));
    const others = registry.list().filter(({ id }) => !ids.has(id));
    return [...known.map(toKeptBody), ...others.map(toRunningBody)]
      .filter(({ owner }) => superUser || owner === userId)
      .map(({ owner, ...body }) => ({ ...body, user: printUser(owner) }))
      .sort((one, other) => (one.requested_at < other.requested_at ? -1 : 1));
  }

  return {
    list,
    get(principal, id) {
      const execution = list(principal).find((candidate) => candidate.id === id);
      if (execution === undefined) throw runErrors.executionNotFound(id);
      return execution;
    },
  };
}

type OwnedBody = Omit<ExecutionBody, 'user'> & { readonly owner: string };

function toKeptBody(execution: AsyncExecution): OwnedBody {
  const { id, owner, connection, name, state, rows, bytes, error, isQueuedByDatabase, isRecorded } =
    execution;
  const times = {
    requested_at: execution.requestedAt,
    started_at: execution.startedAt,
    ended_at: execution.endedAt,
    kept_until: execution.keptUntil,
  };
  return {
    id,
    owner,
    connection,
    name,
    state,
    is_queued_by_database: isQueuedByDatabase,
    ...times,
    rows,
    bytes,
    is_kept: true,
    is_recorded: isRecorded,
    error,
  };
}

/** An execution that is not kept after its end. */
function toRunningBody(execution: Execution): OwnedBody {
  const unknown = { endedAt: null, keptUntil: null, rows: null, error: null, isRecorded: false };
  const body = toKeptBody({ ...execution, ...unknown });
  return { ...body, is_kept: false };
}
