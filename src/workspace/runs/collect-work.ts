import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { ConnectionRequest } from '../../connections/resolve.ts';
import type { Sandbox } from '../../engine/connection/contract/connection.ts';
import type { Translate } from '../../engine/connection/contract/translate.ts';
import type { Manifest } from '../../engine/project/manifest.ts';
import { listSnapshotSources } from '../../engine/project/snapshot.ts';
import { type NanoClock, type Stopwatch, startStopwatch } from '../../engine/run/outcome/clock.ts';
import { checkParams, measureText, ParamError, type Params } from '../../engine/script/params/params.ts';
import { checkUsedInLongTexts, UnusedParamError } from '../../engine/script/params/surplus-params.ts';
import { DiagnosticError, type Warning } from '../../engine/text/diagnostic.ts';
import { finishInPieces } from '../../engine/text/finish-in-pieces.ts';
import { failed, toScriptError } from '../../execution/contract/execution-error.ts';
import type { CatalogAccess } from '../../execution/contract/host.ts';
import type { ExecutionOutcome } from '../../execution/contract/outcome.ts';
import {
  type ExecutionLimits,
  type ExecutionRequest,
  NO_CONNECTION,
  type SqlWork,
  type Work,
} from '../../execution/contract/request.ts';
import type { Principal } from '../../identity/principal/principal.ts';
import { present } from '../../invariants/must.ts';
import { otherDatabase, runErrors, UnknownNameError } from '../api/errors.ts';
import type { BundleTarget, ServedTarget, Target } from '../api/target.ts';
import type { RunRequest, RunSettings } from '../api/workspace-api.ts';
import type { Services } from '../services/services.ts';
import type { FindOwners } from './file-owners.ts';
import { findEnvironment } from './find-environment.ts';
import type { FoundTarget } from './find-target.ts';

// A request names what to run. Here it becomes the request that an engine executes, which contains all of that.

export type Failed = Extract<ExecutionOutcome, { status: 'failed' }>;

/** The connection that every home has. */
export const DEFAULT_CONNECTION = 'duckdb';

/** The maximum size of the first result set while other statements run, in bytes. */
export const SPOOL_BYTES = 1024 ** 3;

/** The request to an engine, and what it asks while it runs. */
export interface Collected {
  readonly status: 'collected';
  readonly request: ExecutionRequest;
  readonly access: CatalogAccess;
}

/** Collecting is not cancelled. */
const NEVER = new AbortController().signal;

/** The folders where an execution may write. */
export type ExecutionFolders = Pick<ExecutionLimits, 'spoolDirectory' | 'publishDirectory' | 'publishBytes'>;

/** Sources of scripts and connections, and what applies to all executions of a process. */
export interface Sources {
  readonly services: Pick<Services, 'catalog' | 'connections'>;
  readonly clock: NanoClock;
  /**
   * Returns the translation of statements for a semantic connection that a principal may use. Rejects with a
   * ServiceError or a DiagnosticError.
   */
  readonly prepareTranslation: (principal: Principal, connection: string) => Promise<Translate>;
  readonly findOwners: FindOwners;
  /** The connection of a run if neither it nor its project names one. */
  readonly fallback: () => string;
  readonly folders: ExecutionFolders;
  /** Undefined: SQL may do what the user of the process may do. */
  readonly sandbox?: Sandbox | undefined;
  /** The time limit on connections without one. */
  readonly timeLimit?: Pick<ExecutionLimits, 'timeoutMs' | 'timeoutSource'> | undefined;
  /** The maximum size of SQL of a client that is not in a script, in megabytes; undefined for no limit. */
  readonly sqlMegabytes?: number | undefined;
  /** The limits of recorded results. */
  readonly recording?: ExecutionRequest['recording'];
}

/** Who runs a request, and the id of its execution. */
interface Caller {
  readonly id: string;
  readonly principal: Principal;
}

/** The part that is read in one transaction of the catalog, and the limits of the connection. */
interface Found extends Pick<ExecutionRequest, 'work' | 'connection' | 'semantic' | 'environment'> {
  readonly warnings: readonly Warning[];
  readonly limits: Pick<ExecutionLimits, 'timeoutMs' | 'timeoutSource' | 'maxSessions'>;
}

/**
 * Reads everything that a run needs in one transaction, with the permissions of its principal: its target, then its
 * connection, then all scripts. Rejects with a ServiceError, and with a HomeError for secrets that cannot be read.
 */
export async function collectWork(
  request: RunRequest,
  { id, principal }: Caller,
  sources: Sources,
): Promise<Collected | Failed> {
  const watch = startStopwatch(sources.clock);
  const {
    target,
    params,
    format,
    encoder = {},
    isQuestion = false,
    timeoutMs,
    timeoutSource = '`--timeout`',
  } = request;
  try {
    checkParams(params);
    if (target.kind === 'sql') checkSize(target, params, sources.sqlMegabytes);
    const { limits, ...fields } =
      target.kind === 'sql'
        ? { work: target, warnings: [], ...findConnection(request, () => null, principal, sources) }
        : await collectScripts(request, target, principal, sources);
    const { work } = fields;
    const texts = work.kind === 'sql' ? [work.source] : listSnapshotSources(work.snapshot);
    const unused = await finishInPieces(checkUsedInLongTexts(request, texts), NEVER);
    if (Object.keys(params).length > 0 || hasDefaults(work)) {
      const { checkDescribed } = await import('./check-described.ts');
      checkDescribed(params, work);
    }
    const isGenerated = work.kind === 'sql' && work.isGenerated === true;
    const semantic = isGenerated ? undefined : fields.semantic;
    const execution: ExecutionRequest = {
      id,
      ...toCaller(principal),
      name: printTarget(target, work),
      ...fields,
      semantic,
      generatedFor: isGenerated ? fields.semantic : undefined,
      connection: { ...fields.connection, ...(isQuestion && { level: 'READ' }), sandbox: sources.sandbox },
      warnings: [...fields.warnings, ...unused],
      params,
      format,
      encoder,
      lasting: request.lasting,
      sendsAll: request.sendsAll,
      recording: request.recordsAll === true ? sources.recording : undefined,
      limits: {
        ...limits,
        ...(limits.timeoutMs === null && sources.timeLimit),
        ...(timeoutMs !== undefined && { timeoutMs, timeoutSource }),
        ...sources.folders,
        spoolBytes: SPOOL_BYTES,
        maxRows: request.maxRows ?? null,
      },
    };
    const access = await prepareAccess(execution, principal, sources);
    return { status: 'collected', request: execution, access };
  } catch (error) {
    return toFailed(watch, error);
  }
}

/**
 * Throws a ServiceError 400 for SQL of a client that is too large with its parameters: its parser needs much more time
 * and memory than its size.
 */
function checkSize({ source, isGenerated }: SqlWork, params: Params, megabytes: number | undefined): void {
  if (isGenerated === true || megabytes === undefined) return;
  const max = megabytes * 1024 ** 2;
  const isTooLarge = Buffer.byteLength(source.text) > max || measureText(source, params) > max;
  if (isTooLarge) throw runErrors.sqlTooLarge(megabytes);
}

function hasDefaults(work: Work): boolean {
  return work.kind !== 'sql' && work.snapshot.packages.some(({ defaults }) => defaults !== undefined);
}

/** What an execution asks while it runs, with the permissions of a principal. Rejects as `prepareTranslation`. */
export async function prepareAccess(
  { semantic, work }: Pick<ExecutionRequest, 'semantic' | 'work'>,
  principal: Principal,
  { prepareTranslation, findOwners }: Pick<Sources, 'prepareTranslation' | 'findOwners'>,
): Promise<CatalogAccess> {
  const translate =
    semantic === undefined
      ? undefined
      : await findTranslation(work, () => prepareTranslation(principal, semantic));
  // SQL publishes nothing.
  return { translate, askOwner: work.kind === 'sql' ? undefined : findOwners(principal, work) };
}

/** The translation that work needs. A check of a model with errors does without it. Rejects as `prepare`. */
async function findTranslation(
  work: Work,
  prepare: () => Promise<Translate>,
): Promise<Translate | undefined> {
  if (work.kind === 'symbols') return undefined;
  try {
    return await prepare();
  } catch (error) {
    if (work.kind === 'check') return undefined;
    throw error;
  }
}

/** The user and the credentials of an execution, as it is listed and logged. */
export function toCaller({
  userId,
  origin,
}: Principal): Pick<ExecutionRequest, 'owner' | 'token' | 'session' | 'origin'> {
  return {
    owner: userId,
    token: origin?.tokenId ?? undefined,
    session: origin?.sessionId,
    origin: origin && { address: origin.address, requestId: origin.requestId },
  };
}

async function collectScripts(
  request: RunRequest,
  target: Exclude<Target, SqlWork>,
  principal: Principal,
  sources: Sources,
): Promise<Found> {
  const { catalog } = sources.services;
  const { withTarget } = await import('./with-target.ts');
  return withTarget(
    target,
    request,
    (work, overlay) => catalog.withScripts(principal, work, overlay),
    (foundTarget) => {
      const { findManifest, readWork, needsConnection = true } = foundTarget;
      const namesOne = request.connection !== undefined || request.environment !== undefined;
      const connection =
        needsConnection || namesOne ? findConnection(request, findManifest, principal, sources) : UNCONNECTED;
      const work = readWork();
      const environment = needsConnection ? nameTargets(request, findManifest, sources) : undefined;
      const planned =
        work.kind === 'check' && namesOne ? { ...work, maxSqlBytes: findMaxSql(sources) } : work;
      return { ...connection, environment, work: planned, warnings: readManifestWarnings(foundTarget) };
    },
  );
}

/** The maximum SQL that a check parses, in bytes: that of SQL over HTTP, which parses nothing outside a server. */
function findMaxSql({ sqlMegabytes }: Sources): number | undefined {
  return sqlMegabytes === undefined ? undefined : sqlMegabytes * 1024 ** 2;
}

/** The connection of an inspection without a named one. */
const UNCONNECTED = { connection: NO_CONNECTION, limits: { timeoutMs: null, maxSessions: null } };

function findConnection(
  request: RunRequest,
  findManifest: FoundTarget['findManifest'],
  principal: Principal,
  { services, fallback, folders }: Sources,
): Pick<Found, 'connection' | 'semantic' | 'limits'> {
  const chosen = chooseConnection(request, findManifest, fallback);
  const spillFolder = folders.spoolDirectory;
  const resolved = services.connections.resolve(principal, { ...chosen, spillFolder });
  const { spec: connection, semantic, ...limits } = resolved;
  return { connection, semantic, limits };
}

/**
 * The connection of a run and its overrides: the named one, else that of the project's named or default environment,
 * else `fallback` (docs/reference/projects.md#environments). The manifest is read only if needed. Throws an
 * UnknownNameError for an unknown environment, and the errors of `fallback`.
 */
export function chooseConnection(
  { connection, environment, overrides }: Omit<RunSettings, 'params' | 'typed'>,
  findManifest: () => Manifest | null,
  fallback: () => string,
): Omit<ConnectionRequest, 'spillFolder'> {
  if (connection !== undefined && environment === undefined) return { name: connection, overrides };
  const chosen = findEnvironment(findManifest(), environment);
  if (connection !== undefined) return { name: connection, overrides };
  if (chosen === undefined) return { name: fallback(), overrides };
  return { name: chosen.connection.name, overrides: { ...chosen.connection.overrides, ...overrides } };
}

/**
 * How a run names its targets, also one that names a connection (docs/reference/environments.md#names). Throws an
 * UnknownNameError for an unknown environment, and for one to defer to on another connection.
 */
function nameTargets(
  request: RunRequest,
  findManifest: () => Manifest | null,
  { fallback }: Pick<Sources, 'fallback'>,
): ExecutionRequest['environment'] {
  const { environment, defer } = request;
  const manifest = findManifest();
  const names = findEnvironment(manifest, environment)?.names ?? null;
  if (defer === undefined) return names === null ? undefined : { names };
  const other = present(findEnvironment(manifest, defer));
  const used = chooseConnection(request, () => manifest, fallback);
  if (!isDeepStrictEqual(used, other.connection)) throw otherDatabase(defer);
  return { names, deferred: { names: other.names } };
}

/** An invalid manifest is refused where it is needed. */
function readManifestWarnings({ findManifest }: FoundTarget): readonly Warning[] {
  try {
    return findManifest()?.warnings ?? [];
  } catch (error) {
    if (error instanceof DiagnosticError) return [];
    throw error;
  }
}

/** Converts errors of reading and compiling scripts to a failed run. Rethrows internal errors. */
export function toFailed(watch: Stopwatch, error: unknown): Failed {
  if (error instanceof UnknownNameError || error instanceof UnusedParamError) {
    return failed(watch, { code: 'selection', message: error.message, diagnostics: [], stuck: false });
  }
  if (error instanceof DiagnosticError || error instanceof ParamError) {
    return failed(watch, toScriptError(error));
  }
  throw error;
}

/** The name of a target as its caller knows it; `work` is the resolved target, if already known. */
export function printTarget(target: Target, work?: Work): string {
  switch (target.kind) {
    case 'sql':
      return target.source.name;
    case 'script':
      return target.path;
    case 'file':
      return work?.kind === 'script' ? work.file : target.source.name;
    case 'block':
      return `${target.package}.${target.block}`;
    case 'tests':
    case 'build':
      return target.kind;
    case 'bundle':
      return `bundle:${[...(target.base === undefined ? [] : [target.base]), printUse(target.use)].join('/')}`;
  }
}

/** The path in the catalog that a reader of a stored result must be able to view; null for SQL and sent files. */
export function findReadPath(target: ServedTarget, work: Work): string | null {
  if (target.kind === 'bundle') return target.base ?? null;
  if (work.kind === 'script') return work.file;
  if (work.kind !== 'block') return null;
  const { needs, packages } = work.snapshot;
  const [file] = packages.find(({ id }) => id === needs[0].id)?.files ?? [];
  return file === undefined ? null : path.posix.dirname(file.name);
}

function printUse(use: BundleTarget['use']): string {
  switch (use.kind) {
    case 'block':
      return `${use.package}.${use.block}`;
    case 'tests':
      return 'tests';
    default:
      return use.path;
  }
}
