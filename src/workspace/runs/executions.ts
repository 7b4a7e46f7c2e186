// Runs of many users on one server. A request is authorized, then it waits its turn: the queue is fair between users.
// The engine is another process, which can fail without the server.

import type { Readable } from 'node:stream';
import type { ConnectionTestBody } from '../../bodies/connection-test-body.ts';
import { listFiles } from '../../connections/record.ts';
import type { ConnectionSpec, Sandbox } from '../../engine/connection/contract/connection.ts';
import type { DiskLimit, DiskUse } from '../../engine/connection/contract/disk-limit.ts';
import type { Sink } from '../../engine/result/columns/sink.ts';
import { createNanoClock, startStopwatch } from '../../engine/run/outcome/clock.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { failed } from '../../execution/contract/execution-error.ts';
import type { ExecutionHost } from '../../execution/contract/host.ts';
import type { ExecutionErrorCode, ExecutionOutcome } from '../../execution/contract/outcome.ts';
import { type ExecutionSink, Outlet } from '../../execution/contract/outlet.ts';
import {
  type ExecutionLimits,
  type ExecutionRequest,
  isInspection,
} from '../../execution/contract/request.ts';
import type { Confinement } from '../../execution/engine-process/confinement.ts';
import { createProcessHost, type EngineState } from '../../execution/engine-process/process-host.ts';
import { createCrashLimit } from '../../execution/registry/crash-limit.ts';
import {
  createRegistry,
  type ExecutionRegistry,
  type RegistryLimits,
} from '../../execution/registry/registry.ts';
import type { AsyncExecutions, KeptResult, Recording } from '../../execution/results/async-executions.ts';
import type { Conversion } from '../../execution/results/convert-result.ts';
import type { Principal } from '../../identity/principal/principal.ts';
import { defaultOf } from '../../settings/read-settings.ts';
import { SETTINGS } from '../../settings/table.ts';
import { runErrors } from '../api/errors.ts';
import type { ServedTarget } from '../api/target.ts';
import type { RunRequest } from '../api/workspace-api.ts';
import { createRunFolder, type Home, removeFolder } from '../home/home.ts';
import { createDatabaseFileRelease, type ReleaseDatabaseFiles } from '../home/release-database-files.ts';
import { createUseLog } from '../limits/disk-warnings.ts';
import { planMemory } from '../limits/memory-plan.ts';
import type { Services } from '../services/services.ts';
import {
  type Collected,
  collectWork,
  type Failed,
  findReadPath,
  prepareAccess,
  printTarget,
  type Sources,
  toCaller,
} from './collect-work.ts';
import { confine, hideFiles, planConfines } from './confine.ts';
import { createConverter } from './convert-results.ts';
import { planConfinement } from './engine-files.ts';
import { createExecutionList, type ExecutionList } from './execution-list.ts';
import { createFileOwners } from './file-owners.ts';
import { findRunText } from './find-run-text.ts';
import { createInteractiveSessions, type InteractiveSessions } from './interactive-sessions.ts';
import { findResultLimit, type KeepOptions, keepExecutions, withKept } from './open-async-executions.ts';
import { createRecorder, type QueryLogSettings, type Recorder, type Tally } from './record-queries.ts';
import { hideTestFiles, runConnectionTest } from './test-connection.ts';
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
    request: RunRequest<ServedTarget>,
    open: OpenAnswer,
    signal: AbortSignal,
  ): Promise<ExecutionOutcome>;
  /**
   * Like `run`, but asynchronous: resolves when the execution runs or waits. The execution and its result are kept for
   * a while after its end. A refused request is a failed outcome.
   */
  start(principal: Principal, request: RunRequest<ServedTarget>): Promise<Started | Failed>;
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
  /** As `InteractiveSessions.keep`. */
  readonly keepSession: InteractiveSessions['keep'];
  /**
   * Tests a connection for a principal whose rights were checked. Rejects with a ServiceError: 429 while another test of
   * the user runs, 503 if it cannot run.
   */
  test(principal: Principal, connection: ConnectionSpec, signal: AbortSignal): Promise<ConnectionTestBody>;
  /** Releases the DuckDB files of this process to another process. */
  readonly holdFiles: ReleaseDatabaseFiles;
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
  /** The maximum size of SQL that is not in a script, with its parameters, in megabytes. */
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

/** The sources of a server's executions, which run in a sandbox. */
interface ServedSources extends Sources {
  readonly services: Services;
  readonly sandbox: Sandbox;
}

/** The executions of an open home. */
export function createExecutions(
  home: Home,
  { services, prepareTranslation }: Pick<ServedSources, 'services' | 'prepareTranslation'>,
  options: ExecutionOptions,
): Executions {
  const clock = createNanoClock();
  const limits = { ...LIMITS, ...options.limits };
  const crashLimit = createCrashLimit((owner, seconds) => reportPause(services, options.log, owner, seconds));
  const registry = createRegistry(limits, crashLimit);
  const runFolder = createRunFolder(home);
  const memory = planMemory(options.memory ?? defaultOf(SETTINGS.execMemory));
  const { disk = defaultOf(SETTINGS.execDisk) } = options;
  const recorder = createRecorder({ clock, services, home, settings: options.queryLog });
  const confinement = planConfinement(home, runFolder, services.connections, options.log);
  const processHost = createProcessHost({
    clock,
    registry,
    folder: runFolder,
    cwd: home.files,
    threads: limits.running + SPARE_THREADS,
    memoryCeiling: memory.ceiling,
    confinement,
    onCrash: crashLimit.note,
    onEnd: crashLimit.noteEnd,
    onDiskUse: createUseLog(options.log),
    log: options.log,
  });
  const holdFiles = createDatabaseFileRelease(registry, processHost);
  const asyncExecutions = keepExecutions(home, registry, clock, options);
  const executionList = createExecutionList(registry, asyncExecutions, services);
  const stopWatching = watchRights(withKept(registry, asyncExecutions), services);
  const closing = new AbortController();
  const sources = {
    services,
    clock,
    prepareTranslation,
    findOwners: createFileOwners(home, services.published),
    fallback: () => {
      throw runErrors.connectionRequired();
    },
    ...planConfines(home, runFolder, memory.database, disk),
    timeLimit: findTimeLimit(options.timeoutMs),
    sqlMegabytes: options.sqlMegabytes ?? defaultOf(SETTINGS.execSqlSize),
    recording: { maxBytes: findResultLimit(options) },
  };

  return {
    ...createRuns(sources, {
      host: processHost,
      recorder,
      asyncExecutions,
      confinement,
      holdFiles,
      closing: closing.signal,
    }),
    holdFiles,
    ...executionList,
    ...createResults(asyncExecutions, executionList.get, services),
    readEngine: processHost.readState,
    readDiskUse: processHost.readDiskUse,
    readFigures: () => ({ ...recorder.readTally(), ...countStates(registry) }),
    async close() {
      closing.abort();
      stopWatching();
      registry.cancelWhere(() => true);
      await processHost.close();
      await recorder.close();
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

/** The files that an engine process may open, and their release to another process. */
interface FileAccess {
  readonly confinement: Confinement;
  readonly holdFiles: ReleaseDatabaseFiles;
}

interface RunParts extends FileAccess {
  readonly host: ExecutionHost;
  readonly recorder: Recorder;
  readonly asyncExecutions: AsyncExecutions;
  /** Aborted when the executions are closed. */
  readonly closing: AbortSignal;
}

/** Creates the functions that queue executions. */
function createRuns(
  sources: ServedSources,
  { host, recorder, asyncExecutions, closing, ...files }: RunParts,
): Pick<Executions, 'run' | 'start' | 'runSent' | 'keepSession' | 'test'> {
  /** Reads everything that a request needs, with the permissions of its principal. Rejects with a ServiceError. */
  async function prepare(
    principal: Principal,
    request: RunRequest<ServedTarget>,
  ): Promise<Collected | Failed> {
    const { target } = request;
    const id = sources.services.newId();
    if (target.kind !== 'sql' && target.kind !== 'bundle' && target.projectVersion !== undefined) {
      // The requested version of a hub project must be the current one.
      const path = target.kind === 'script' ? target.path : target.package;
      sources.services.catalog.get(principal, path, target.projectVersion);
    }
    const collected = await collectWork(request, { id, principal }, sources);
    if (collected.status === 'failed') {
      const logged = { id, ...toCaller(principal), name: printTarget(target) };
      recorder.recordUnread(logged, request.connection, collected);
    } else if (!isInspection(collected.request.work)) await openFiles(collected.request.connection, files);
    return collected;
  }

  /** Queues, runs and records a request; it is in the list before this function returns. */
  async function execute(
    { request, access }: Omit<Collected, 'status'>,
    outlet: Outlet,
    signal: AbortSignal,
    showsFiles = true,
  ): Promise<ExecutionOutcome> {
    const outcome = await recorder.follow(host, request, outlet, signal, access);
    return showsFiles ? outcome : hideFiles(outcome, request.connection);
  }

  const sessions = createInteractiveSessions((id) => host.endSession(id));
  return {
    ...createTests(sources, { host, ...files }),
    async run(principal, request, open, signal) {
      const prepared = await prepare(principal, request);
      return prepared.status === 'failed'
        ? prepared
        : execute(prepared, new Outlet(open), signal, principal.superUser);
    },
    async start(principal, request) {
      const prepared = await prepare(principal, request);
      if (prepared.status === 'failed') return prepared;
      const { id, work } = prepared.request;
      const run = (file: ExecutionSink, signal: AbortSignal) =>
        execute(prepared, new Outlet(() => file, file), signal, principal.superUser);
      const path = findReadPath(request.target, work);
      const text = findRunText(request.target, work);
      const refused = await asyncExecutions.start({ ...prepared.request, path, text }, run);
      return refused?.status === 'failed' ? refused : { status: 'started', id };
    },
    keepSession: sessions.keep,
    async runSent(principal, sent, sink, signal) {
      const prepared = await prepareSent(principal, sent, { sources, files });
      if (prepared.status === 'failed') return prepared;
      const request = { ...confine(sent, sources), ...toCaller(principal) };
      const outcome = await sessions.use(principal, sent.lasting, (lasting) =>
        execute({ ...prepared, request: { ...request, lasting } }, new Outlet(() => sink), signal),
      );
      return closing.aborted ? toStopped(outcome) : outcome;
    },
  };
}

/** Prepares what a request of another process asks, with the permissions of a principal. */
async function prepareSent(
  principal: Principal,
  request: ExecutionRequest,
  { sources, files }: { readonly sources: ServedSources; readonly files: FileAccess },
): Promise<Pick<Collected, 'status' | 'access'> | Failed> {
  const watch = startStopwatch(sources.clock);
  try {
    await openFiles(request.connection, files);
    return { status: 'collected', access: await prepareAccess(request, principal, sources) };
  } catch (error) {
    // The command has already checked this; an error here means that something changed since.
    if (!(error instanceof ServiceError)) throw error;
    return failed(watch, { code: 'script', message: error.detail, diagnostics: [], stuck: false });
  }
}

/** Creates the function that tests connections. */
function createTests(
  sources: ServedSources,
  { host, ...files }: Pick<RunParts, 'host' | keyof FileAccess>,
): Pick<Executions, 'test'> {
  /** The users who test a connection. */
  const testing = new Set<string>();
  return {
    async test(principal, connection, signal) {
      const { userId } = principal;
      if (testing.has(userId)) throw runErrors.testRunning();
      testing.add(userId);
      try {
        await openFiles(connection, files);
        const body = await runConnectionTest(
          { ...connection, sandbox: sources.sandbox },
          {
            id: sources.services.newId(),
            principal,
            folders: sources.folders,
            mayOpen: files.confinement.mayOpen,
            run: (request, sink) => host.run(request, new Outlet(() => sink), signal),
          },
        );
        return principal.superUser ? body : hideTestFiles(body, connection);
      } finally {
        testing.delete(userId);
      }
    },
  };
}

/** How long an execution on a new connection waits until others have ended, in milliseconds. */
const WAIT_MS = 10_000;

/**
 * Makes sure that the engine process may open the files of a connection. For a new connection, it ends the process
 * when running executions have ended, so that the next one may. Rejects with a ServiceError 503 if they do not end.
 */
async function openFiles(connection: ConnectionSpec, { confinement, holdFiles }: FileAccess): Promise<void> {
  if (!confinement.needsRestart(listFiles(connection))) return;
  const held = new AbortController();
  const running = await holdFiles(WAIT_MS, () => held.abort(), held.signal);
  if (running > 0) throw runErrors.filesNotOpen(running);
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
