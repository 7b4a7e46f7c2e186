import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import type { ConnectionTestBody } from '../../bodies/connection-test-body.ts';
import type { BinService } from '../../catalog/bin/service.ts';
import type { HistoryService } from '../../catalog/history/service.ts';
import type { CatalogService } from '../../catalog/service.ts';
import type { ResolvedConnection } from '../../connections/resolve.ts';
import type { ConnectionService } from '../../connections/service.ts';
import { type ConnectionSpec, DATABASE_KINDS } from '../../engine/connection/contract/connection.ts';
import type { Sink } from '../../engine/result/columns/sink.ts';
import { createNanoClock, startStopwatch } from '../../engine/run/outcome/clock.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { toStop } from '../../execution/contract/cancellation.ts';
import { failed, toExecutionError } from '../../execution/contract/execution-error.ts';
import type { ExecutionHost } from '../../execution/contract/host.ts';
import type { ExecutionOutcome } from '../../execution/contract/outcome.ts';
import { Outlet } from '../../execution/contract/outlet.ts';
import { findTextKind } from '../../execution/contract/request.ts';
import type { Principal } from '../../identity/principal/principal.ts';
import type { ProviderTrail } from '../../provider-log/provider-trail.ts';
import type { QueryTrail } from '../../query-log/query-trail.ts';
import { SETTINGS } from '../../settings/table.ts';
import { openReadable } from '../../store/read-only-copy.ts';
import type { BackupListBody } from '../api/backup-body.ts';
import { homeServerErrors, runErrors } from '../api/errors.ts';
import type { RunningBody } from '../api/execution-body.ts';
import type { ScriptsApi } from '../api/scripts-api.ts';
import type { SemanticApi } from '../api/semantic-api.ts';
import type { ServerStatusBody } from '../api/status-body.ts';
import type { ScriptTarget } from '../api/target.ts';
import type { LoadOutcome, LoadRequest, PlanOutcome, RunRequest, WorkRequest } from '../api/workspace-api.ts';
import { type Home, homeAt, removeFolder } from '../home/home.ts';
import { loadFiles } from '../load/load-files.ts';
import { createRestriction, explainRestriction } from '../runs/catalog-text.ts';
import { collectWork, DEFAULT_CONNECTION, type Sources, toFailed } from '../runs/collect-work.ts';
import { createFileOwners } from '../runs/file-owners.ts';
import { toActing } from '../services/acting-user.ts';
import { askServer, callServer } from '../services/call-server.ts';
import {
  type AccountServices,
  createServices,
  type FindSettings,
  type Services,
} from '../services/services.ts';
import { openSessionPlace, type SessionPlace } from './session-place.ts';

export interface WorkspaceOptions {
  /** The home's folder. */
  readonly home: string;
  /** The acting user's name; default: the home's owner. */
  readonly as?: string | undefined;
  /** Default: all settings are read from `config.toml`. */
  readonly findSettings?: FindSettings;
  /** That of an interactive session, which outlives the workspace; default: a new one. */
  readonly place?: SessionPlace | undefined;
}

/** An open home and its acting user, as commands use them. */
export interface Workspace {
  /** The acting user. */
  readonly principal: Principal;
  readonly catalog: CatalogService;
  readonly history: HistoryService;
  readonly bin: BinService;
  readonly connections: ConnectionService;
  readonly accounts: AccountServices;
  readonly queries: QueryTrail;
  readonly providers: ProviderTrail;
  /** Running and waiting executions on the server of the home: those of the principal, for an administrator all. */
  readonly executions: {
    /** Oldest first; null where no server runs. */
    list(principal: Principal): Promise<readonly RunningBody[] | null>;
    /** Rejects with a ServiceError: 404 where `list` does not show this id, 503 where no server runs. */
    cancel(principal: Principal, id: string): Promise<void>;
  };
  /** The state of the home and of its server, as far as it is known without one. Throws a ServiceError 403. */
  readStatus(principal: Principal): Promise<ServerStatusBody>;
  /** The backups in the folder of the home. Each throws a ServiceError 403 unless the principal manages accounts. */
  readonly backups: {
    /** Newest first. */
    list(principal: Principal): Promise<BackupListBody>;
    /** Throws a ServiceError 404. */
    delete(principal: Principal, name: string): Promise<void>;
  };
  /** The scripts of the catalog. */
  openScripts(): Promise<ScriptsApi>;
  /** Semantic models. */
  openSemantic(): Promise<SemanticApi>;
  /** Runs a script of the catalog or a source; bytes of the result go to `sink`. Throws a ServiceError. */
  run(request: RunRequest, sink: Sink, signal: AbortSignal): Promise<ExecutionOutcome>;
  /** Tests a connection for the acting user, whose rights were checked. Rejects with a ServiceError 503. */
  testConnection(
    connection: ResolvedConnection['spec'],
    patienceMs: number | undefined,
    signal: AbortSignal,
  ): Promise<ConnectionTestBody>;
  /** Plans a run as far as possible without its database, which is not opened. */
  plan(request: WorkRequest<ScriptTarget>): Promise<PlanOutcome>;
  /** Loads data files into a table of a connection. Throws a ServiceError. */
  load(request: LoadRequest, signal: AbortSignal): Promise<LoadOutcome>;
  /** Stops running work and releases all resources; no method may be called afterwards. */
  close(): Promise<void>;
  /** Removes temporary files synchronously when the process is about to end. */
  abandon(): void;
}

/**
 * Opens a home and connects its parts: the acting user, the catalog, the host that runs SQL. Throws a HomeError for a
 * missing or unusable home, a ServiceError 401 for an unknown or disabled user.
 */
export function openWorkspace(options: WorkspaceOptions): Workspace {
  const { home: folder, as, findSettings } = options;
  const home = homeAt(folder);
  const database = openReadable(folder, { clock: () => new Date() });
  const services = createServices(database, home, findSettings);
  const principal = findActing(services, as);
  const place = options.place ?? openSessionPlace(folder);
  const { runFolder } = place;
  const restrict = createRestriction({ home, runFolder, services, principal });
  const ownFolders = new Set(options.place === undefined ? [runFolder] : []);
  const abandon = () => ownFolders.forEach(removeFolder);

  const openSemantic = () => openModels(services);
  const sources: Sources = {
    services,
    clock: createNanoClock(),
    prepareTranslation: async (user, name) =>
      (await openSemantic()).prepareTranslation(user, { kind: 'connection', name }),
    findOwners: createFileOwners(home, services.published),
    fallback: () => DEFAULT_CONNECTION,
    folders: { spoolDirectory: runFolder, publishDirectory: home.publish },
  };

  async function run(request: RunRequest, sink: Sink, signal: AbortSignal): Promise<ExecutionOutcome> {
    const collected = await collectWork(request, { id: services.newId(), principal }, sources);
    if (collected.status === 'failed') return collected;
    const { request: execution, access } = collected;
    const outlet = new Outlet(() => sink, sink);
    const restricted = restrict(request, execution);
    const outcome = await runWhereItBelongs(home, place, [restricted ?? execution, outlet, signal, access]);
    const explained = explainUnwritable(outcome, home);
    return restricted !== null && as === undefined ? explainRestriction(explained, home) : explained;
  }

  return {
    principal,
    catalog: services.catalog,
    history: services.history,
    bin: services.bin,
    connections: services.connections,
    accounts: services.accounts,
    queries: services.queries,
    providers: services.providers,
    executions: openExecutions(home),
    ...openCare(home, services),
    openScripts: () => openCatalogScripts(services, principal),
    openSemantic,
    run,
    testConnection: (...test) => testHere({ home, place, services, principal, sources }, ...test),
    plan: (request) =>
      // A plan has no result, but its run would have one.
      planRun({ ...request, format: 'json' }, { id: services.newId(), principal }, sources),
    load: openLoad({ home, place, services, principal, sources, runFolder, ownFolders, run }),
    abandon,
    async close() {
      if (options.place === undefined) await place.close();
      database.close();
      abandon();
    },
  };
}

function openExecutions(home: Home): Workspace['executions'] {
  return {
    list: ({ userId: user }) => askServer(home, 'list', { user, input: null }),
    async cancel({ userId: user }, id) {
      if ((await askServer(home, 'cancel', { user, input: id })) === null) throw homeServerErrors.noServer();
    },
  };
}

/** The state and the backups of a home; a server that has it open knows more than its files do. */
function openCare(home: Home, { audit, findSettings }: Services): Pick<Workspace, 'readStatus' | 'backups'> {
  const context = { home, audit, findMax: () => findSettings().get(SETTINGS.backupsKept) };
  const load = () => import('../backup/backup-service.ts');
  return {
    async readStatus(user) {
      const served = await askServer(home, 'status', { user: user.userId, input: null });
      if (served !== null) return served;
      const { readStatusWithoutServer } = await import('./home-status.ts');
      return readStatusWithoutServer(home, findSettings(), user);
    },
    backups: {
      async list(user) {
        const served = await askServer(home, 'backups', { user: user.userId, input: null });
        return served ?? (await load()).listBackups(context, user);
      },
      async delete(user, name) {
        const served = await askServer(home, 'delete-backup', { user: user.userId, input: name });
        if (served === null) (await load()).deleteBackup(context, user, name);
      },
    },
  };
}

/** The user with a name, or the home's owner. Throws a ServiceError 401. */
function findActing({ users }: Services, as: string | undefined): Principal {
  return toActing(as === undefined ? users.findOwner() : users.findByUserName(as), as);
}

/**
 * Runs work on DuckDB, whose files it holds, and in interactive sessions on the home's server while one runs
 * (docs/guides/server.md#the-command-line-on-a-running-server). The server queues it and enforces its deadline; an
 * execution whose server is lost fails with the code `lost`.
 */
async function runWhereItBelongs(
  home: Home,
  place: SessionPlace,
  args: Parameters<ExecutionHost['run']>,
): Promise<ExecutionOutcome> {
  const [request, outlet, signal] = args;
  const mayServe = request.connection.kind === 'duckdb' || request.lasting !== undefined;
  const isHere = !mayServe || (await place.hasSession(request.lasting));
  if (isHere) return (await place.host.get()).run(...args);
  const watch = startStopwatch(createNanoClock());
  outlet.start(watch.startedAt);
  try {
    const { owner: user, lasting } = request;
    const kept = lasting && (await place.keepOnServer(user, lasting));
    const call = { user, input: { ...request, lasting: kept ?? lasting } };
    const outcome = kept === null ? null : await callServer(home, 'run', call, { sink: outlet, signal });
    if (outcome !== null) return outcome;
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    return failed(watch, toExecutionError(error, toStop(signal)));
  }
  return (await place.host.get()).run(...args);
}

/** A DuckDB database without a file. */
const IN_MEMORY: ConnectionSpec = {
  name: 'memory',
  kind: 'duckdb',
  options: { file: ':memory:' },
  overrides: {},
};

/** What a command needs to load files. */
interface LoadPlace {
  readonly home: Home;
  readonly place: SessionPlace;
  readonly services: Services;
  readonly principal: Principal;
  readonly sources: Sources;
  readonly runFolder: string;
  readonly ownFolders: Set<string>;
  readonly run: Workspace['run'];
}

function openLoad({ place, services, principal, sources, ...loading }: LoadPlace): Workspace['load'] {
  const runInMemory: Workspace['run'] = async (request, sink, signal) => {
    const collected = await collectWork(request, { id: services.newId(), principal }, sources);
    if (collected.status === 'failed') return collected;
    const execution = { ...collected.request, connection: IN_MEMORY };
    return (await place.host.get()).run(execution, new Outlet(() => sink, sink), signal, collected.access);
  };
  return async (request, signal) => {
    const { kind: name } = services.connections.get(principal, request.connection);
    const kind = DATABASE_KINDS.find((one) => one === name);
    if (kind === undefined) throw runErrors.notLoadable(request.connection, name);
    return loadFiles({ ...loading, runInMemory, kind }, request, signal);
  };
}

/** What a command needs to run a test. */
interface TestPlace {
  readonly home: Home;
  readonly place: SessionPlace;
  readonly services: Services;
  readonly principal: Principal;
  readonly sources: Pick<Sources, 'folders'>;
}

/** Tests a connection; the server of the home has the files of stored connections open. */
async function testHere(
  { home, place, services, principal, sources: { folders } }: TestPlace,
  ...[connection, patienceMs, signal]: Parameters<Workspace['testConnection']>
): Promise<ConnectionTestBody> {
  const { runConnectionTest } = await import('../runs/test-connection.ts');
  const { file } = connection.options;
  const isStored = services.connections.listFiles().some((stored) => stored.file === file);
  return runConnectionTest(connection, {
    id: services.newId(),
    principal,
    folders,
    patienceMs,
    mayOpen: () => true,
    run: async (request, sink) => {
      const call: Parameters<ExecutionHost['run']> = [request, new Outlet(() => sink, sink), signal, {}];
      return isStored ? runWhereItBelongs(home, place, call) : (await place.host.get()).run(...call);
    },
  });
}

async function openCatalogScripts({ catalog }: Services, principal: Principal): Promise<ScriptsApi> {
  const { createScripts } = await import('../runs/scripts.ts');
  return createScripts((work, overlay) => catalog.withScripts(principal, work, overlay));
}

async function openModels(services: Services): Promise<SemanticApi> {
  const { createLocalSemantic } = await import('../models/local-models.ts');
  const { createModelFinder } = await import('../models/find-connection-model.ts');
  const findDefault = () => services.findSettings().get(SETTINGS.semanticConnection);
  return createLocalSemantic(createModelFinder(services, findDefault));
}

/** Adds to the error of a write why the home cannot be written, because the database names only a file. */
function explainUnwritable(outcome: ExecutionOutcome, { folder, duckdb }: Home): ExecutionOutcome {
  if (outcome.status === 'done' || outcome.error.note !== undefined) return outcome;
  const { code, message } = outcome.error;
  const isReadOnly = /attached in read-only mode/.test(message) && !isWritable(path.dirname(duckdb));
  const note = isReadOnly
    ? `The home ${folder} is read-only.`
    : 'The disk is full: free some space and try again.';
  return isReadOnly || code === 'full' ? { ...outcome, error: { ...outcome.error, note } } : outcome;
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

async function planRun(...args: Parameters<typeof collectWork>): Promise<PlanOutcome> {
  const collected = await collectWork(...args);
  if (collected.status === 'failed') return collected;
  const { planScript } = await import('../runs/plan-script.ts');
  const { translate } = collected.access;
  const { work, params, connection, semantic, warnings = [] } = collected.request;
  if (work.kind !== 'script') throw new Error(`expected a script, got ${work.kind}`);
  const { name, overrides } = connection;
  const watch = startStopwatch(createNanoClock());
  try {
    const kind = findTextKind(collected.request);
    const planned = await planScript({ ...work, params, kind, translate, warnings });
    return { status: 'done', connection: semantic ?? name, overrides, ...planned };
  } catch (error) {
    return toFailed(watch, error);
  }
}
