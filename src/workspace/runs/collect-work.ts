import type { ResolvedConnection } from '../../connections/resolve.ts';
import type { ConnectionSpec } from '../../engine/connection/contract/connection.ts';
import { listSources } from '../../engine/project/snapshot.ts';
import { createClock } from '../../engine/run/outcome/clock.ts';
import { startStopwatch } from '../../engine/run/outcome/stopwatch.ts';
import { checkParams, ParamError, type Params } from '../../engine/script/params/params.ts';
import { checkUsed, UnusedParamError } from '../../engine/script/params/surplus-params.ts';
import { DiagnosticError, type Warning } from '../../engine/text/diagnostic.ts';
import type { Source } from '../../engine/text/source.ts';
import { toScriptFault } from '../../execution/contract/fault.ts';
import type { ExecutionFault, ExecutionOutcome } from '../../execution/contract/outcome.ts';
import { NO_CONNECTION, type Work } from '../../execution/contract/request.ts';
import { UnknownNameError } from '../api/errors.ts';
import type { RunSettings, RunTarget } from '../api/workspace-api.ts';
import { chooseConnection } from './choose-connection.ts';
import type { FoundTarget } from './find-target.ts';
import type { WithLoader } from './scripts.ts';
import { joinStatements, listWarnings, type TranslateSql } from './translate-sql.ts';

export type Failed = Extract<ExecutionOutcome, { status: 'failed' }>;

/** What to run, and on what. */
export interface Collected {
  readonly status: 'collected';
  readonly work: Work;
  readonly connection: ConnectionSpec;
  /** After how long a run is stopped that says nothing else; null: never. */
  readonly timeoutMs: number | null;
  readonly warnings: readonly Warning[];
  /** How many sessions may be open at once on the connection; null: any number. */
  readonly maxSessions: number | null;
  /** What is still to be replaced in it. */
  readonly params: Params;
}

/** Finds a connection by its name. Throws a ServiceError, and a HomeError for secrets that cannot be read. */
type ResolveConnection = (name: string, overrides: Readonly<Record<string, string>>) => ResolvedConnection;

/** Where scripts and connections are found. */
export interface Sources {
  readonly withCatalog: WithLoader;
  readonly resolve: ResolveConnection;
  /** Semantic connections have their own SQL. */
  readonly translate: TranslateSql;
  /** The connection of a run that names none and belongs to no project that does. */
  readonly fallback: () => string;
}

/**
 * Everything that a run needs, read at once: first what it is, then its connection, then all scripts that it takes.
 * Rejects with a ServiceError.
 */
export function collectWork(
  request: RunSettings & { readonly target: RunTarget },
  sources: Sources,
): Promise<Collected | Failed> {
  const { target, params } = request;
  const { withCatalog, resolve, fallback } = sources;
  const find = ({ findManifest, needsConnection = true }: FoundTarget): ResolvedConnection => {
    const namesOne = request.connection !== undefined || request.environment !== undefined;
    if (!needsConnection && !namesOne) return { spec: NO_CONNECTION, timeoutMs: null, maxSessions: null };
    const { name, overrides } = chooseConnection(request, findManifest, fallback);
    return resolve(name, overrides);
  };
  const collect = (found: FoundTarget): Collected => {
    const { spec, timeoutMs, maxSessions } = find(found);
    const work = found.readWork();
    const warnings = [...readManifestWarnings(found), ...checkUsed(request, listTexts(work))];
    return { status: 'collected', work, connection: spec, timeoutMs, maxSessions, warnings, params };
  };
  return catchFaults(async () => {
    checkParams(params);
    if (target.kind === 'text') {
      const { source, isGenerated } = target;
      const translated = isGenerated === true ? null : await collectTranslated(request, source, sources);
      if (translated !== null) return translated;
      return collect({ findManifest: () => null, readWork: () => ({ kind: 'sql', source, isGenerated }) });
    }
    const { withTarget } = await import('./with-target.ts');
    return withTarget(target, params, withCatalog, collect);
  });
}

/** What is sent to a semantic connection, as what runs on the connection behind it; null for any other connection. */
async function collectTranslated(
  request: RunSettings,
  source: Source,
  { translate, resolve, fallback }: Sources,
): Promise<Collected | null> {
  const { params } = request;
  const { name, overrides } = chooseConnection(request, () => null, fallback);
  const translated = await translate({ name, overrides }, { source, params });
  if (translated === null) return null;
  const { statements, connection, timeoutMs } = translated;
  const { spec, timeoutMs: ownMs, maxSessions } = resolve(connection, translated.overrides);
  return {
    status: 'collected',
    work: { kind: 'sql', source: joinStatements(source.name, statements), isGenerated: true },
    connection: spec,
    timeoutMs: timeoutMs ?? ownMs,
    maxSessions,
    warnings: [...checkUsed(request, [source]), ...listWarnings(statements)],
    params: {},
  };
}

/** A manifest with faults is refused where it counts. */
function readManifestWarnings({ findManifest }: FoundTarget): readonly Warning[] {
  try {
    return findManifest()?.warnings ?? [];
  } catch (error) {
    if (error instanceof DiagnosticError) return [];
    throw error;
  }
}

/** The texts in which parameters are replaced. */
function listTexts(work: Work): readonly Source[] {
  return work.kind === 'sql' ? [work.source] : listSources(work.snapshot);
}

/** Faults that show while scripts are read end a run as those do that show later. */
export async function catchFaults<T>(work: () => Promise<T>): Promise<T | Failed> {
  const watch = startStopwatch(createClock());
  try {
    return await work();
  } catch (error) {
    return { status: 'failed', stats: watch.read(), fault: toFault(error) };
  }
}

function toFault(error: unknown): ExecutionFault {
  if (error instanceof UnknownNameError || error instanceof UnusedParamError) {
    return { code: 'selection', message: error.message, diagnostics: [], stuck: false };
  }
  if (error instanceof DiagnosticError || error instanceof ParamError) return toScriptFault(error);
  throw error;
}
