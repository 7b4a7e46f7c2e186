import type { ConnectionRequest, ResolvedConnection } from '../../connections/resolve.ts';
import type { Translate } from '../../engine/connection/contract/translate.ts';
import type { Manifest } from '../../engine/project/manifest.ts';
import { listSources } from '../../engine/project/snapshot.ts';
import { createNanoClock } from '../../engine/run/outcome/clock.ts';
import { type Stopwatch, startStopwatch } from '../../engine/run/outcome/stopwatch.ts';
import { checkParams, ParamError } from '../../engine/script/params/params.ts';
import { checkUsedInLongTexts, UnusedParamError } from '../../engine/script/params/surplus-params.ts';
import { DiagnosticError, type Warning } from '../../engine/text/diagnostic.ts';
import { finishInPieces } from '../../engine/text/finish-in-pieces.ts';
import { failed, toScriptError } from '../../execution/contract/execution-error.ts';
import type { ExecutionOutcome } from '../../execution/contract/outcome.ts';
import {
  type ExecutionLimits,
  type ExecutionRequest,
  isInspection,
  NO_CONNECTION,
  type SqlWork,
} from '../../execution/contract/request.ts';
import { UnknownNameError, unknownEnvironment } from '../api/errors.ts';
import type { Target } from '../api/target.ts';
import type { RunSettings } from '../api/workspace-api.ts';
import type { FoundTarget } from './find-target.ts';
import type { WithLoader } from './scripts.ts';

export type Failed = Extract<ExecutionOutcome, { status: 'failed' }>;

/** The connection that every home has. */
export const DEFAULT_CONNECTION = 'duckdb';

/** The part of an execution's request that the catalog and the connection give. */
export interface CollectedRequest
  extends Pick<ExecutionRequest, 'work' | 'params' | 'connection' | 'semantic'> {
  readonly warnings: readonly Warning[];
  /** The limits of the connection. */
  readonly limits: Pick<ExecutionLimits, 'timeoutMs' | 'timeoutSource' | 'maxSessions'>;
}

/** `translate` translates statements for a semantic connection. */
interface Collected {
  readonly status: 'collected';
  readonly request: CollectedRequest;
  readonly translate?: Translate | undefined;
}

/** Finds a connection by its name. Throws a ServiceError, and a HomeError for secrets that cannot be read. */
type ResolveConnection = (name: string, overrides: Readonly<Record<string, string>>) => ResolvedConnection;

/** Collecting is not cancelled. */
const NEVER = new AbortController().signal;

/** Sources of scripts and connections. */
export interface Sources {
  readonly withCatalog: WithLoader;
  readonly resolve: ResolveConnection;
  /**
   * Returns the translation for a semantic connection, by its name. Rejects with a ServiceError or a DiagnosticError.
   */
  readonly prepareTranslation: (connection: string) => Promise<Translate>;
  /** The connection of a run if neither it nor its project names one. */
  readonly fallback: () => string;
}

type Request = RunSettings & { readonly target: Target };

/** The part that is read in one transaction of the catalog. */
type Found = Omit<CollectedRequest, 'params'>;

/**
 * Reads everything that a run needs in one transaction: its target, then its connection, then all scripts. Rejects with
 * a ServiceError.
 */
export async function collectWork(request: Request, sources: Sources): Promise<Collected | Failed> {
  const watch = startStopwatch(createNanoClock());
  const { target, params } = request;
  try {
    checkParams(params);
    const parts =
      target.kind === 'sql'
        ? { work: target, warnings: [], ...findConnection(request, () => null, sources) }
        : await collectScripts(request, target, sources);
    const { work } = parts;
    const texts = work.kind === 'sql' ? [work.source] : listSources(work.snapshot);
    const unused = await finishInPieces(checkUsedInLongTexts(request, texts), NEVER);
    const warnings = [...parts.warnings, ...unused];
    const read = { ...parts, warnings, params };
    const { semantic } = read;
    if (semantic === undefined) return { status: 'collected', request: read };
    return await withTranslation(read, semantic, sources);
  } catch (error) {
    return toFailed(watch, error);
  }
}

async function collectScripts(
  request: Request,
  target: Exclude<Target, SqlWork>,
  sources: Sources,
): Promise<Found> {
  const { withTarget } = await import('./with-target.ts');
  return withTarget(target, request.params, sources.withCatalog, (foundTarget) => {
    const { findManifest, readWork, needsConnection = true } = foundTarget;
    const namesOne = request.connection !== undefined || request.environment !== undefined;
    const connection =
      needsConnection || namesOne ? findConnection(request, findManifest, sources) : UNCONNECTED;
    return { ...connection, work: readWork(), warnings: readManifestWarnings(foundTarget) };
  });
}

/** The connection of an inspection without a named one. */
const UNCONNECTED = { connection: NO_CONNECTION, limits: { timeoutMs: null, maxSessions: null } };

function findConnection(
  request: Request,
  findManifest: FoundTarget['findManifest'],
  { resolve, fallback }: Sources,
): Pick<Found, 'connection' | 'semantic' | 'limits'> {
  const { name, overrides } = chooseConnection(request, findManifest, fallback);
  const { spec: connection, semantic, ...limits } = resolve(name, overrides);
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
  const manifest = findManifest();
  const key = environment ?? manifest?.environments.default ?? null;
  const chosen = key === null ? undefined : manifest?.environments.byKey.get(key);
  if (environment !== undefined && chosen === undefined) {
    throw unknownEnvironment(environment, manifest && [...manifest.environments.byKey.keys()]);
  }
  if (connection !== undefined) return { name: connection, overrides };
  if (chosen === undefined) return { name: fallback(), overrides };
  return { name: chosen.connection.name, overrides: { ...chosen.connection.overrides, ...overrides } };
}

/** Adds the translation of Semantic SQL. Generated SQL, checks and symbols are not translated. */
async function withTranslation(
  request: CollectedRequest,
  semantic: string,
  { prepareTranslation }: Pick<Sources, 'prepareTranslation'>,
): Promise<Collected> {
  const status = 'collected';
  const { work } = request;
  if (isInspection(work) && work.kind !== 'compile') return { status, request };
  if (work.kind === 'sql' && work.isGenerated === true) {
    return { status, request: { ...request, semantic: undefined } };
  }
  return { status, request, translate: await prepareTranslation(semantic) };
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
