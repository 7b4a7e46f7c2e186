import type { ResolvedConnection } from '../../connections/resolve.ts';
import type { ConnectionSpec } from '../../engine/connection/contract/connection.ts';
import type { Translate } from '../../engine/connection/contract/translate.ts';
import { listSources } from '../../engine/project/snapshot.ts';
import { createClock } from '../../engine/run/outcome/clock.ts';
import { type Stopwatch, startStopwatch } from '../../engine/run/outcome/stopwatch.ts';
import { checkParams, ParamError, type Params } from '../../engine/script/params/params.ts';
import { checkUsedInLongTexts, UnusedParamError } from '../../engine/script/params/surplus-params.ts';
import { DiagnosticError, type Warning } from '../../engine/text/diagnostic.ts';
import { finishInPieces } from '../../engine/text/finish-in-pieces.ts';
import { failed, toScriptError } from '../../execution/contract/execution-error.ts';
import type { ExecutionOutcome } from '../../execution/contract/outcome.ts';
import { isInspection, NO_CONNECTION, type SqlWork, type Work } from '../../execution/contract/request.ts';
import { UnknownNameError } from '../api/errors.ts';
import type { Target } from '../api/target.ts';
import type { RunSettings } from '../api/workspace-api.ts';
import { chooseConnection } from './choose-connection.ts';
import type { FoundTarget } from './find-target.ts';
import type { WithLoader } from './scripts.ts';

export type Failed = Extract<ExecutionOutcome, { status: 'failed' }>;

/** The work to run, and its connection. */
export interface Collected {
  readonly status: 'collected';
  readonly work: Work;
  readonly connection: ConnectionSpec;
  /** The name of the semantic connection in front of it, if requested. */
  readonly semantic?: string | undefined;
  /** Translates statements for a semantic connection. */
  readonly translate?: Translate | undefined;
  /** The default time limit of a run; null: none. */
  readonly timeoutMs: number | null;
  /** Who sets that time limit. */
  readonly timeoutSource?: string | undefined;
  readonly warnings: readonly Warning[];
  /** The maximum of concurrent sessions on the connection; null: unlimited. */
  readonly maxSessions: number | null;
  /** Parameters that are not substituted yet. */
  readonly params: Params;
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
type Found = Pick<
  Collected,
  'work' | 'connection' | 'semantic' | 'timeoutMs' | 'timeoutSource' | 'maxSessions' | 'warnings'
>;

/**
 * Reads everything that a run needs in one transaction: its target, then its connection, then all scripts. Rejects with
 * a ServiceError.
 */
export async function collectWork(request: Request, sources: Sources): Promise<Collected | Failed> {
  const watch = startStopwatch(createClock());
  const { target, params } = request;
  try {
    checkParams(params);
    const found =
      target.kind === 'sql'
        ? { work: target, warnings: [], ...findConnection(request, () => null, sources) }
        : await collectScripts(request, target, sources);
    const { work } = found;
    const texts = work.kind === 'sql' ? [work.source] : listSources(work.snapshot);
    const unused = await finishInPieces(checkUsedInLongTexts(request, texts), NEVER);
    const warnings = [...found.warnings, ...unused];
    return await withTranslation({ status: 'collected', ...found, warnings, params }, sources);
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
  return withTarget(target, request.params, sources.withCatalog, (found) => {
    const { findManifest, readWork, needsConnection = true } = found;
    const namesOne = request.connection !== undefined || request.environment !== undefined;
    const connection =
      needsConnection || namesOne ? findConnection(request, findManifest, sources) : UNCONNECTED;
    return { ...connection, work: readWork(), warnings: readManifestWarnings(found) };
  });
}

/** The connection of an inspection without a named one. */
const UNCONNECTED = { connection: NO_CONNECTION, timeoutMs: null, maxSessions: null };

function findConnection(
  request: Request,
  findManifest: FoundTarget['findManifest'],
  { resolve, fallback }: Sources,
): Pick<Found, 'connection' | 'semantic' | 'timeoutMs' | 'timeoutSource' | 'maxSessions'> {
  const { name, overrides } = chooseConnection(request, findManifest, fallback);
  const { spec, ...limits } = resolve(name, overrides);
  return { connection: spec, ...limits };
}

/** Adds the translation of Semantic SQL. Generated SQL, checks and symbols are not translated. */
async function withTranslation(
  collected: Collected,
  { prepareTranslation }: Pick<Sources, 'prepareTranslation'>,
): Promise<Collected> {
  const { semantic, work } = collected;
  if (semantic === undefined || (isInspection(work) && work.kind !== 'compile')) return collected;
  if (work.kind === 'sql' && work.isGenerated === true) return { ...collected, semantic: undefined };
  return { ...collected, translate: await prepareTranslation(semantic) };
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
