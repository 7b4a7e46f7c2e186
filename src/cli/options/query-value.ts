import type { RunOutcome, WorkspaceApi } from '../../workspace/api/workspace-api.ts';

/** What is asked of which connection, and how long it may take. */
interface ValueRequest {
  readonly connection: string;
  /** A query of one row with one column. */
  readonly query: string;
  readonly timeoutMs?: number | undefined;
}

/** The query that gives a database's name for its version. */
export const VERSION = 'SELECT version() AS version';

/** The one value that a query gives, as text; empty where the run failed. */
export async function queryValue(
  workspace: WorkspaceApi,
  { query, ...request }: ValueRequest,
  signal: AbortSignal,
): Promise<{ readonly outcome: RunOutcome; readonly value: string }> {
  const parts: Uint8Array[] = [];
  const target = { kind: 'sql', source: { name: 'check', text: query }, isGenerated: true } as const;
  const outcome = await workspace.run(
    { ...request, target, params: {}, overrides: {}, format: 'json' },
    { write: (bytes) => void parts.push(bytes) },
    signal,
  );
  if (outcome.status === 'failed') return { outcome, value: '' };
  const answer = JSON.parse(Buffer.concat(parts).toString('utf8'));
  return { outcome, value: String(answer.result.data[0][0]) };
}
