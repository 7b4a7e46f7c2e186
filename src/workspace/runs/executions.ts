import { statfsSync } from 'node:fs';
import type { ConnectionSpec, Sandbox } from '../../engine/connection/contract/connection.ts';
import type { DiskLimit, DiskUse } from '../../engine/connection/contract/disk-limit.ts';
import { toQuota } from '../../engine/connection/contract/disk-limit.ts';
import type { Translate } from '../../engine/connection/contract/translate.ts';
import type { SharedSocket, Sink } from '../../engine/result/columns/sink.ts';
import { createClock, formatNanos } from '../../engine/run/outcome/clock.ts';
import { startStopwatch } from '../../engine/run/outcome/stopwatch.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { ExecutionHost } from '../../execution/contract/host.ts';
import type { ExecutionFault, ExecutionOutcome } from '../../execution/contract/outcome.ts';
import type { ExecutionRequest } from '../../execution/contract/request.ts';
import { createProcessHost, type EngineState } from '../../execution/engine-process/process-host.ts';
import { createCrashLimit } from '../../execution/registry/crash-limit.ts';
import {
  createRegistry,
  type ExecutionRegistry,
  type RegistryLimits,
} from '../../execution/registry/registry.ts';
import { failed } from '../../execution/registry/run-in-turn.ts';
import type { AsyncExecutions, KeptResult } from '../../execution/results/async-executions.ts';
import type { Principal } from '../../identity/principal/principal.ts';
import { toPrincipal } from '../../identity/records/users.ts';
import { present } from '../../invariants/must.ts';
import { printMegabytes } from '../../settings/amounts.ts';
import { defaultOf } from '../../settings/read-settings.ts';
import { SETTINGS } from '../../settings/table.ts';
import { runErrors } from '../api/errors.ts';
import type { ExecutionBody } from '../api/execution-body.ts';
import type { ServedTarget } from '../api/target.ts';
import type { ServedRequest } from '../api/workspace-api.ts';
import { createRunFolder, type Home, removeFolder } from '../home/home.ts';
import { createDatabaseFileRelease, type ReleaseDatabaseFiles } from '../home/release-database-files.ts';
import { planPublished } from '../limits/disk-plan.ts';
import { createUseLog } from '../limits/disk-warnings.ts';
import { planMemory } from '../limits/memory-plan.ts';
import type { Services } from '../services/services.ts';
import { type Collected, collectWork, type Failed } from './collect-work.ts';
import { createExecutionList, type ExecutionList } from './list-executions.ts';
import { type KeepOptions, keepExecutions, withKept } from './open-async-executions.ts';
import { printTarget } from './print-target.ts';
import type { LoggedRequest, Recorder, Tally } from './record-queries.ts';
import { type QueryLogSettings, startRecording } from './start-recording.ts';
import { type ExecutionFolders, toExecutionRequest } from './to-execution-request.ts';
import { watchRights } from './watch-rights.ts';

/** Says where the bytes of an answer go, once there are any; `startedAt` is when the execution began. */
type OpenAnswer = (startedAt: string) => Sink;

/** An execution that runs or waits by itself. */
interface Started {
  readonly status: 'started';
  readonly id: string;
}

/** What many people run at once on one instance, each under a principal of their own, and all in a sandbox. */
export interface Executions extends ExecutionList {
  /**
   * Runs something for a principal, who needs VIEW on scripts and USE on the connection. Rejects with a ServiceError
   * for what is refused before it is queued, in the order path, connection.
   */
  run(
    principal: Principal,
    request: ServedRequest,
    open: OpenAnswer,
    signal: AbortSignal,
  ): Promise<ExecutionOutcome>;
  /**
   * As `run`, but nobody has to wait: resolves when it runs or waits. It is kept for a while after it has ended, with
   * its result. What is refused is a failed outcome.
   */
  start(principal: Principal, request: ServedRequest): Promise<Started | Failed>;
  /**
   * Runs what a command on this home has authorized and collected, as it asks, but in this sandbox and with the folders of
   * this process.
   */
  runSent(request: ExecutionRequest, sink: Sink, signal: AbortSignal): Promise<ExecutionOutcome>;
  /** Has others open the DuckDB files that this process has. */
  readonly holdFiles: ReleaseDatabaseFiles;
  /** Cancels one that `list` shows, and forgets one that has ended. Throws 404 for any other. */
  cancel(principal: Principal, id: string): void;
  /** Waits until a kept one has ended, at most so many milliseconds. */
  whenEnded(id: string, ms: number): Promise<void>;
  /** The result of one that `list` shows; null of one that is not done, or is not kept. Throws 404 for any other. */
  findResult(principal: Principal, id: string): KeptResult | null;
  /** Whether executions can run now. */
  readEngine(): EngineState;
  /** What databases use of the disk, as far as that was measured. */
  readDiskUse(): readonly DiskUse[];
  /** What runs and waits now, and what was run. */
  readFigures(): ExecutionFigures;
  /** Stops what runs. */
  close(): Promise<void>;
}

/** Figures about all executions; those of what has ended since the server began. */
interface ExecutionFigures extends Tally {
  readonly running: number;
  readonly queued: number;
}

export type { ExecutionBody, ExecutionFault, ExecutionOutcome, ServedRequest, SharedSocket };

/** How a server runs what it is asked to; what is left out follows from the machine. */
export interface ExecutionOptions extends KeepOptions {
  /** Takes lines for the operator, such as those of the process in which everything runs. */
  readonly log: (line: string) => void;
  readonly limits?: Partial<RegistryLimits>;
  /** How long an execution may take on a connection that says nothing else, in milliseconds. */
  readonly timeoutMs?: number;
  /** Left out: what is run is not logged. */
  readonly queryLog?: QueryLogSettings;
  /** Bytes of memory that each DuckDB database may take. */
  readonly memory?: number;
  /** How much of the disk each DuckDB database may use, and the published files of each user. */
  readonly disk?: DiskLimit;
}

/** How many may run and wait. */
const LIMITS: RegistryLimits = {
  running: defaultOf(SETTINGS.execRunning),
  queued: defaultOf(SETTINGS.execQueued),
  perOwner: defaultOf(SETTINGS.execPerUser),
};
/** Threads beside those of running statements: for files, names, and further sessions of an execution. */
const SPARE_THREADS = 8;

/** What SQL of callers may do to this machine (results 3): its memory and its disk are for others, too. */
function createSandbox(
  { files, staging }: Home,
  temp: string,
  memory: number,
  diskLimit: DiskLimit,
): Sandbox {
  const { bavail, bsize } = statfsSync(temp);
  const free = bavail * bsize;
  const maxTempSize = printMegabytes(Math.min(free / 2, toQuota(diskLimit, 0, free)));
  return { files, staging, temp, memoryLimit: printMegabytes(memory), maxTempSize, diskLimit };
}

function planFolders(home: Home, runFolder: string, disk: DiskLimit): ExecutionFolders {
  const publishQuota = planPublished(home, disk);
  return { spoolDirectory: runFolder, publishDirectory: home.publish, publishQuota };
}

/** The executions of an open home. */
export function createExecutions(home: Home, wired: Wired, options: ExecutionOptions): Executions {
  const { services } = wired;
  const clock = createClock();
  const limits = { ...LIMITS, ...options.limits };
  const crashLimit = createCrashLimit((owner, seconds) => tellPause(services, options.log, owner, seconds));
  const registry = createRegistry(limits, crashLimit.check);
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
    onCrash: crashLimit.note,
    onDiskUse: createUseLog(options.log),
    log: options.log,
  });
  const host = recorder.watch(processHost);
  const kept = keepExecutions(home, registry, clock, options);
  const { list, get } = createExecutionList(registry, kept, services);
  const stopWatching = watchRights(withKept(registry, kept), services);

  const folders = planFolders(home, runFolder, disk);
  const { timeoutMs = defaultOf(SETTINGS.execTimeout) * 1_000 } = options;
  const prepare = createPrepare({ ...wired, host, recorder, sandbox, folders, timeoutMs });
  return {
    async run(principal, request, open, signal) {
      const prepared = await prepare(principal, request);
      if (prepared.status === 'failed') return prepared;
      const { id } = prepared.execution;
      const findStart = () => registry.list().find((running) => running.id === id)?.startedAt;
      const sink = openLate(() => open(findStart() ?? formatNanos(clock())));
      return prepared.run(sink, signal);
    },
    async start(principal, request) {
      const prepared = await prepare(principal, request);
      return prepared.status === 'failed' ? prepared : startKept(kept, prepared);
    },
    runSent: createRunSent(wired, host, { folders, staging: home.staging, sandbox }),
    holdFiles: createDatabaseFileRelease(registry, processHost),
    list,
    get,
    cancel: (principal, id) => {
      const { state } = get(principal, id);
      if (state === 'queued' || state === 'running') registry.cancel(id);
      else kept.forget(id);
    },
    whenEnded: kept.whenEnded,
    findResult: (principal, id) => kept.findResult(get(principal, id).id),
    readEngine: processHost.readState,
    readDiskUse: processHost.readDiskUse,
    readFigures: () => ({ ...recorder.readTally(), ...countStates(registry) }),
    async close() {
      stopWatching();
      registry.cancelWhere(() => true);
      await host.close();
      await recorder.settle();
      closeLog();
      kept.close();
      removeFolder(runFolder);
    },
  };
}

/** A user's executions wait for some seconds, since they have ended too many engine processes. */
function tellPause(
  { users, audit }: Services,
  log: (line: string) => void,
  owner: string,
  seconds: number,
): void {
  const name = users.findById(owner)?.userName ?? owner;
  log(`executions of ${name} wait for ${seconds} s: they have ended the engine process again and again`);
  audit.recordVisitor({ address: null, requestId: null }, { action: 'execution.pause', object: name });
}

async function startKept(kept: AsyncExecutions, { execution, run }: Prepared): Promise<Started | Failed> {
  const refused = await kept.start(execution, run);
  return refused?.status === 'failed' ? refused : { status: 'started', id: execution.id };
}

function countStates(registry: ExecutionRegistry): Pick<ExecutionFigures, 'running' | 'queued'> {
  const running = registry.list().filter(({ state }) => state === 'running').length;
  return { running, queued: registry.list().length - running };
}

/** A request that is ready to run; `run` enters it in the registry before it returns. */
interface Prepared {
  readonly status: 'prepared';
  readonly execution: ExecutionRequest;
  readonly run: (sink: Sink, signal: AbortSignal) => Promise<ExecutionOutcome>;
}

/** What translates statements on a semantic connection that a principal may use. Rejects with a ServiceError. */
type PrepareTranslation = (principal: Principal, connection: string) => Promise<Translate>;

/** What executions find scripts, connections and models with. */
interface Wired {
  readonly services: Services;
  readonly prepareTranslation: PrepareTranslation;
}

interface Preparing extends Wired {
  readonly host: ExecutionHost;
  readonly recorder: Recorder;
  readonly sandbox: Sandbox;
  readonly folders: ExecutionFolders;
  /** On a connection that says nothing else. */
  readonly timeoutMs: number;
}

function createPrepare(preparing: Preparing) {
  const { services, host, recorder, sandbox, folders, timeoutMs } = preparing;
  return async (principal: Principal, request: ServedRequest): Promise<Prepared | Failed> => {
    const asked = toAsked(services.newId(), principal, request);
    const collected = await collect(preparing, principal, request, folders.spoolDirectory);
    if (collected.status === 'failed') {
      recorder.recordUnread(asked, request.connection, collected);
      return collected;
    }
    const connection = { ...collected.connection, sandbox };
    const sandboxed = { ...collected, timeoutMs: collected.timeoutMs ?? timeoutMs, connection };
    const { format, numbers } = request;
    const execution = toExecutionRequest({
      asked: { ...asked, format, encoder: { numbers } },
      collected: sandboxed,
      folders,
    });
    const run = async (sink: Sink, signal: AbortSignal) => {
      const outcome = await host.run(execution, sink, signal, collected.translate);
      return principal.superUser ? outcome : hideFiles(outcome, collected.connection);
    };
    return { status: 'prepared', execution, run };
  };
}

/** What translates the statements of a request of another process, by the rights of its owner. */
async function prepareSent(
  { services, prepareTranslation }: Wired,
  { owner, semantic }: ExecutionRequest,
): Promise<{ readonly status: 'sent'; readonly translate?: Translate } | Failed> {
  if (semantic === undefined) return { status: 'sent' };
  const watch = startStopwatch(createClock());
  try {
    const user = present(services.users.findById(owner));
    return { status: 'sent', translate: await prepareTranslation(toPrincipal(user), semantic) };
  } catch (error) {
    // The command has met the same refusal itself, but for what has changed since.
    if (!(error instanceof ServiceError)) throw error;
    return failed(watch, { code: 'script', message: error.detail, diagnostics: [], stuck: false });
  }
}

/** Everything that a request needs, read under the rights of a principal. Rejects with a ServiceError. */
function collect(
  { services, prepareTranslation }: Wired,
  principal: Principal,
  { target, params, connection, environment, overrides }: ServedRequest,
  spillFolder: string,
): Promise<Collected | Failed> {
  checkVersion(services, principal, target);
  return collectWork(
    { target, params, connection, environment, overrides },
    {
      withCatalog: (work) => services.catalog.withScripts(principal, work),
      resolve: (name, given) =>
        services.connections.resolve(principal, { name, overrides: given, spillFolder }),
      prepareTranslation: (name) => prepareTranslation(principal, name),
      fallback: () => {
        throw runErrors.connectionRequired();
      },
    },
  );
}

/** The version of a project in the hub that is asked for must be the one that is there. Throws 404. */
function checkVersion({ catalog }: Services, principal: Principal, target: ServedTarget): void {
  if (target.kind === 'sql' || target.kind === 'bundle' || target.projectVersion === undefined) return;
  catalog.get(principal, target.kind === 'script' ? target.path : target.package, target.projectVersion);
}

function toAsked(id: string, { userId, origin }: Principal, { target }: ServedRequest): LoggedRequest {
  return {
    id,
    owner: userId,
    token: origin?.tokenId ?? undefined,
    session: origin?.sessionId,
    origin: origin && { address: origin.address, requestId: origin.requestId },
    name: printTarget(target),
  };
}

/** The folders and limits of this process. */
interface Confines {
  readonly folders: ExecutionFolders;
  readonly staging: string;
  readonly sandbox: Sandbox;
}

function createRunSent(wired: Wired, host: ExecutionHost, confines: Confines): Executions['runSent'] {
  return async (request, sink, signal) => {
    const sent = await prepareSent(wired, request);
    if (sent.status === 'failed') return sent;
    return host.run(confine(request, confines), sink, signal, sent.translate);
  };
}

/** A request of another process as one of this one, whose files it may use in place of its own. */
function confine(request: ExecutionRequest, { folders, staging, sandbox }: Confines): ExecutionRequest {
  const { connection, limits, format } = request;
  const options = { ...connection.options, temp_directory: folders.spoolDirectory };
  // The engine writes parquet itself, where a sandbox lets it.
  const spoolDirectory = format === 'parquet' ? staging : folders.spoolDirectory;
  return {
    ...request,
    connection: { ...connection, options, sandbox },
    limits: { ...limits, ...folders, spoolDirectory },
  };
}

/** Where the files of the server lie is for administrators alone. */
function hideFiles(outcome: ExecutionOutcome, { name, kind }: ConnectionSpec): ExecutionOutcome {
  if (outcome.status === 'done' || kind !== 'duckdb') return outcome;
  const { code } = outcome.fault;
  if (code !== 'locked' && code !== 'unreachable') return outcome;
  return {
    ...outcome,
    fault: { ...outcome.fault, message: `the database of the connection ${name} cannot be opened now` },
  };
}

/** A sink that is opened by the first bytes. */
function openLate(open: () => Sink): Sink {
  let sink: Sink | undefined;
  return {
    write(bytes) {
      sink ??= open();
      return sink.write(bytes);
    },
    transferSocket: async () => (await sink?.transferSocket?.()) ?? null,
  };
}
