import { statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { ConnectionSpec, Sandbox } from '../engine/connection/connection.ts';
import type { FormatName } from '../engine/result/formats.ts';
import type { Sink } from '../engine/result/sink.ts';
import { createClock, formatNanos } from '../engine/run/clock.ts';
import type { ExecutionFault, ExecutionOutcome } from '../execution/outcome.ts';
import { createProcessHost } from '../execution/process-host.ts';
import { createRegistry, type Execution, type RegistryLimits } from '../execution/registry.ts';
import type { ExecutionRequest } from '../execution/request.ts';
import type { Principal } from '../identity/principal.ts';
import { type Collected, collectWork, type Failed } from './collect-work.ts';
import { runErrors } from './errors.ts';
import { createFileHolds, type HoldFiles } from './file-holds.ts';
import { createRunFolder, type Home, removeFolder } from './home.ts';
import { planMemory, printMegabytes } from './memory-plan.ts';
import type { Asked, Tally } from './record-queries.ts';
import type { Services } from './services.ts';
import { type QueryLogSettings, startRecording } from './start-recording.ts';
import { watchRights } from './watch-rights.ts';
import type { BlockTarget, RunSettings, RunTarget } from './workspace-api.ts';

/** Bytes that a first result set may take while other statements run. */
const SPOOL_BYTES = 1024 ** 3;
/** How long an execution may take on a connection that says nothing else. */
const TIMEOUT_MS = 300_000;

/** What a request over HTTP runs: nothing on the server's disk can be meant. */
type ServedTarget =
  | { readonly kind: 'sql'; readonly text: string }
  | { readonly kind: 'script'; readonly path: string; readonly projectVersion?: string | undefined }
  | (Pick<BlockTarget, 'package' | 'block' | 'args'> & {
      readonly kind: 'block';
      readonly projectVersion?: string | undefined;
    });

/** One request for an execution (interface 4.3). */
export interface ServedRequest extends Pick<RunSettings, 'params' | 'connection' | 'overrides'> {
  readonly target: ServedTarget;
  readonly format: FormatName;
  readonly numbers: 'number' | 'string';
}

/** Says where the bytes of an answer go, once there are any; `startedAt` is when the execution began. */
type OpenAnswer = (startedAt: string) => Sink;

/** What many people run at once on one instance, each under a principal of their own, and all in a sandbox. */
export interface Executions {
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
   * Runs what a command on this home has authorized and collected, as it asks, but in this sandbox and with the folders of
   * this process.
   */
  runSent(request: ExecutionRequest, sink: Sink, signal: AbortSignal): Promise<ExecutionOutcome>;
  /** Has others open the DuckDB files that this process has. */
  readonly holdFiles: HoldFiles;
  /** One's own executions that run or wait, oldest first; those of everybody for a super-user. */
  list(principal: Principal): readonly ExecutionBody[];
  /** One that `list` shows. Throws 404 for any other. */
  get(principal: Principal, id: string): ExecutionBody;
  /** Cancels one that `list` shows. Throws 404 for any other. */
  cancel(principal: Principal, id: string): void;
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

/** An execution as its owner may see it; times are in ISO 8601, UTC, with nanoseconds. */
export interface ExecutionBody {
  readonly id: string;
  /** User name. */
  readonly user: string;
  readonly connection: string;
  /** The script's path, the package and its block, or `sql`. */
  readonly name: string;
  readonly state: Execution['state'];
  readonly requested_at: string;
  /** When its turn came; null while it waits. */
  readonly started_at: string | null;
  /** Of its answer, so far. */
  readonly bytes: number;
}

export type { ExecutionFault, ExecutionOutcome };

/** How a server runs what it is asked to; what is left out follows from the machine. */
export interface ExecutionOptions {
  /** Takes lines for the operator, such as those of the process in which everything runs. */
  readonly log: (line: string) => void;
  readonly limits?: Partial<RegistryLimits>;
  /** How long an execution may take on a connection that says nothing else, in milliseconds. */
  readonly timeoutMs?: number;
  /** Left out: what is run is not logged. */
  readonly queryLog?: QueryLogSettings;
  /** Bytes of memory that each DuckDB database may take. */
  readonly memory?: number;
}

/** How many may run and wait; what waits for disks and other databases leaves processors to others. */
const LIMITS: RegistryLimits = {
  running: Math.max(4, 2 * availableParallelism()),
  queued: 100,
  perOwner: 10,
};
/** Threads beside those of running statements: for files, names, and further sessions of an execution. */
const SPARE_THREADS = 8;

/** What SQL of callers may do to this machine (results 3): its memory and its disk are for others, too. */
function createSandbox({ files, staging }: Home, temp: string, memory: number): Sandbox {
  const { bavail, bsize } = statfsSync(temp);
  const maxTempSize = printMegabytes((bavail * bsize) / 2);
  return { files, staging, temp, memoryLimit: printMegabytes(memory), maxTempSize };
}

/** The executions of an open home. */
export function createExecutions(home: Home, services: Services, options: ExecutionOptions): Executions {
  const clock = createClock();
  const limits = { ...LIMITS, ...options.limits };
  const registry = createRegistry(limits);
  const runFolder = createRunFolder(home);
  const memory = planMemory(options.memory);
  const sandbox = createSandbox(home, runFolder, memory.database);
  const { recorder, closeLog } = startRecording({ home, services, clock, settings: options.queryLog });
  const processHost = createProcessHost({
    clock,
    registry,
    folder: runFolder,
    cwd: home.files,
    threads: limits.running + SPARE_THREADS,
    memoryCeiling: memory.ceiling,
    log: options.log,
  });
  const host = recorder.watch(processHost);
  const stopWatching = watchRights(registry, services);
  const list = (principal: Principal) =>
    registry
      .list()
      .filter(({ owner }) => principal.superUser || owner === principal.userId)
      .map((execution) => toBody(execution, services));
  const get = (principal: Principal, id: string) => {
    const found = list(principal).find((running) => running.id === id);
    if (found === undefined) throw runErrors.executionNotFound(id);
    return found;
  };

  return {
    async run(principal, request, open, signal) {
      const id = services.newId();
      const asked = toAsked(id, principal, request);
      const collected = await collect(services, principal, request, runFolder);
      if (collected.status === 'failed') {
        recorder.recordUnread(asked, request.connection, collected);
        return collected;
      }
      const findStart = () => registry.list().find((running) => running.id === id)?.startedAt;
      const sink = openLate(() => open(findStart() ?? formatNanos(clock())));
      const folders = { spoolDirectory: runFolder, publishDirectory: home.publish };
      const timeoutMs = collected.timeoutMs ?? options.timeoutMs ?? TIMEOUT_MS;
      const sandboxed = { ...collected, timeoutMs, connection: { ...collected.connection, sandbox } };
      const execution = toExecutionRequest({ asked, request, collected: sandboxed, folders });
      const outcome = await host.run(execution, sink, signal);
      return principal.superUser ? outcome : hideFiles(outcome, collected.connection);
    },
    runSent: (request, sink, signal) =>
      host.run(confine(request, { home, runFolder, sandbox }), sink, signal),
    holdFiles: createFileHolds(registry, processHost),
    list,
    get,
    cancel: (principal, id) => {
      registry.cancel(get(principal, id).id);
    },
    readFigures() {
      const running = registry.list().filter(({ state }) => state === 'running').length;
      return { ...recorder.readTally(), running, queued: registry.list().length - running };
    },
    async close() {
      stopWatching();
      registry.cancelWhere(() => true);
      await host.close();
      await recorder.settle();
      closeLog();
      removeFolder(runFolder);
    },
  };
}

/** Everything that a request needs, read under the rights of a principal. Rejects with a ServiceError. */
function collect(
  services: Services,
  principal: Principal,
  { target, params, connection, overrides }: ServedRequest,
  spillFolder: string,
): Promise<Collected | Failed> {
  checkVersion(services, principal, target);
  return collectWork(
    { target: toRunTarget(target), params, connection, overrides },
    {
      withCatalog: (work) => services.catalog.withScripts(principal, work),
      resolve: (name, given) =>
        services.connections.resolve(principal, { name, overrides: given, spillFolder }),
      fallback: () => {
        throw runErrors.connectionRequired();
      },
    },
  );
}

function toAsked(id: string, { userId, origin }: Principal, { target }: ServedRequest): Asked {
  return {
    id,
    owner: userId,
    token: origin?.tokenId ?? undefined,
    session: origin?.sessionId,
    origin: origin && { address: origin.address, requestId: origin.requestId },
    name: printName(target),
  };
}

interface Planned {
  readonly asked: Asked;
  readonly request: ServedRequest;
  readonly collected: Collected;
  readonly folders: Pick<ExecutionRequest['limits'], 'spoolDirectory' | 'publishDirectory'>;
}

function toExecutionRequest({ asked, request, collected, folders }: Planned): ExecutionRequest {
  const { params, format, numbers } = request;
  const { work, connection, timeoutMs, maxSessions } = collected;
  return {
    ...asked,
    work,
    params,
    connection,
    format,
    encoder: { numbers },
    limits: {
      ...folders,
      timeoutMs,
      maxSessions,
      maxRows: null,
      spoolBytes: SPOOL_BYTES,
    },
  };
}

/** A request of another process as one of this one, whose files it may use in place of its own. */
function confine(
  request: ExecutionRequest,
  {
    home,
    runFolder,
    sandbox,
  }: { readonly home: Home; readonly runFolder: string; readonly sandbox: Sandbox },
): ExecutionRequest {
  const { connection, limits, format } = request;
  const options = { ...connection.options, temp_directory: runFolder };
  // The engine writes parquet itself, where a sandbox lets it.
  const spoolDirectory = format === 'parquet' ? home.staging : runFolder;
  return {
    ...request,
    connection: { ...connection, options, sandbox },
    limits: { ...limits, spoolDirectory, publishDirectory: home.publish },
  };
}

/** Where the files of the server lie is for super-users alone. */
function hideFiles(outcome: ExecutionOutcome, { name, kind }: ConnectionSpec): ExecutionOutcome {
  if (outcome.status === 'done' || kind !== 'duckdb') return outcome;
  const { code } = outcome.fault;
  if (code !== 'locked' && code !== 'unreachable') return outcome;
  return {
    ...outcome,
    fault: { ...outcome.fault, message: `the database of the connection ${name} cannot be opened now` },
  };
}

function toBody(execution: Execution, { users }: Services): ExecutionBody {
  const { id, owner, connection, name, state, requestedAt, startedAt, bytes } = execution;
  const user = users.findById(owner)?.userName ?? owner;
  return { id, user, connection, name, state, requested_at: requestedAt, started_at: startedAt, bytes };
}

/** A sink that is opened by the first bytes. */
function openLate(open: () => Sink): Sink {
  let sink: Sink | undefined;
  return {
    write(bytes) {
      sink ??= open();
      return sink.write(bytes);
    },
  };
}

function toRunTarget(target: ServedTarget): RunTarget {
  switch (target.kind) {
    case 'sql':
      return { kind: 'text', source: { name: 'sql', text: target.text } };
    case 'script':
      return { kind: 'asset', path: target.path };
    case 'block':
      return { ...target, place: 'catalog', cwd: '', projects: [] };
  }
}

function printName(target: ServedTarget): string {
  switch (target.kind) {
    case 'sql':
      return 'sql';
    case 'script':
      return target.path;
    case 'block':
      return `${target.package}.${target.block}`;
  }
}

/** The version of a project in the hub that is asked for must be the one that is there. Throws 404. */
function checkVersion({ catalog }: Services, principal: Principal, target: ServedTarget): void {
  if (target.kind === 'sql' || target.projectVersion === undefined) return;
  catalog.get(principal, target.kind === 'script' ? target.path : target.package, target.projectVersion);
}
