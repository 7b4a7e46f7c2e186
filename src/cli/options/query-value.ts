import type { Lasting } from '../../execution/contract/lasting.ts';
import type { ExecutionOutcome } from '../../execution/contract/outcome.ts';
import { createJsonCollector } from '../../workspace/api/json-result.ts';
import type { Workspace } from '../../workspace/instance/open-workspace.ts';

/** A query on a connection, and its time limit. */
interface ValueRequest {
  readonly connection: string;
  /** A query of one row with one column. */
  readonly query: string;
  readonly timeoutMs?: number | undefined;
  /** The interactive session that runs it. */
  readonly lasting?: Lasting | undefined;
}

/** The query for the version of a database. */
export const VERSION = 'SELECT version() AS version';

/** The rows of a query, as text; none if the run failed. */
export async function queryRows(
  workspace: Workspace,
  request: ValueRequest,
  signal: AbortSignal,
): Promise<readonly (readonly string[])[]> {
  const { outcome, rows } = await query(workspace, request, signal);
  return outcome.status === 'failed' ? [] : rows.map((row) => row.map(String));
}

/** The one value of a query, as text; empty if the run failed. */
export async function queryValue(
  workspace: Workspace,
  request: ValueRequest,
  signal: AbortSignal,
): Promise<{ readonly outcome: ExecutionOutcome; readonly value: string }> {
  const { outcome, rows } = await query(workspace, request, signal);
  return { outcome, value: rows.length === 0 ? '' : String(rows[0]?.[0]) };
}

async function query(
  workspace: Workspace,
  { query, ...request }: ValueRequest,
  signal: AbortSignal,
): Promise<{ readonly outcome: ExecutionOutcome; readonly rows: readonly (readonly unknown[])[] }> {
  const collector = createJsonCollector();
  const target = { kind: 'sql', source: { name: 'check', text: query }, isGenerated: true } as const;
  const outcome = await workspace.run(
    { ...request, target, params: {}, overrides: {}, format: 'json' },
    collector,
    signal,
  );
  if (outcome.status === 'failed') return { outcome, rows: [] };
  return { outcome, rows: collector.read<readonly unknown[]>().data };
}
