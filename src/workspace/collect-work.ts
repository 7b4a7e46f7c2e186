import type { ResolvedConnection } from '../connections/resolve.ts';
import type { ConnectionSpec } from '../engine/connection/connection.ts';
import type { Manifest } from '../engine/project/manifest.ts';
import { createClock } from '../engine/run/clock.ts';
import { startStopwatch } from '../engine/run/stopwatch.ts';
import { ParamError } from '../engine/script/params.ts';
import { DiagnosticError } from '../engine/text/diagnostic.ts';
import { toScriptFault } from '../execution/fault.ts';
import type { ExecutionFault, ExecutionOutcome } from '../execution/outcome.ts';
import type { Work } from '../execution/request.ts';
import { chooseConnection } from './choose-connection.ts';
import { UnknownNameError } from './errors.ts';
import type { WithLoader } from './scripts.ts';
import type { RunSettings, RunTarget } from './workspace-api.ts';

export type Failed = Extract<ExecutionOutcome, { status: 'failed' }>;

/** What to run, and on what. */
export interface Collected {
  readonly status: 'collected';
  readonly work: Work;
  readonly connection: ConnectionSpec;
  /** After how long a run is stopped that says nothing else; null: never. */
  readonly timeoutMs: number | null;
  /** How many sessions may be open at once on the connection; null: any number. */
  readonly maxSessions: number | null;
}

/** Finds a connection by its name. Throws a ServiceError, and a HomeError for secrets that cannot be read. */
export type ResolveConnection = (
  name: string,
  overrides: Readonly<Record<string, string>>,
) => ResolvedConnection;

/** Everything that a run needs, read at once. Rejects with a ServiceError. */
export function collectWork(
  request: RunSettings & { readonly target: RunTarget },
  withCatalog: WithLoader,
  resolve: ResolveConnection,
): Promise<Collected | Failed> {
  return catchFaults(async () => {
    const { work, manifest } = await readTarget(request, withCatalog);
    const { name, overrides } = chooseConnection(request, manifest);
    const { spec, timeoutMs, maxSessions } = resolve(name, overrides);
    return { status: 'collected', work, connection: spec, timeoutMs, maxSessions };
  });
}

async function readTarget(
  { target, params }: { readonly target: RunTarget } & Pick<RunSettings, 'params'>,
  withCatalog: WithLoader,
): Promise<{ readonly work: Work; readonly manifest: Manifest | null }> {
  if (target.kind === 'text') return { work: { kind: 'sql', source: target.source }, manifest: null };
  const { toWork } = await import('./to-work.ts');
  return toWork(target, params, withCatalog);
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
  if (error instanceof UnknownNameError) {
    return { code: 'selection', message: error.message, diagnostics: [], stuck: false };
  }
  if (error instanceof DiagnosticError || error instanceof ParamError) return toScriptFault(error);
  throw error;
}
