import type { RunOutcome, WorkspaceApi } from '../workspace/workspace-api.ts';

/** Which connection is asked, and how long it may take. */
interface VersionRequest {
  readonly connection: string;
  readonly timeoutMs?: number | undefined;
}

/** What a connection's database says that it is; empty where the run failed. */
export async function queryVersion(
  workspace: WorkspaceApi,
  request: VersionRequest,
  signal: AbortSignal,
): Promise<{ readonly outcome: RunOutcome; readonly version: string }> {
  const parts: Uint8Array[] = [];
  const source = { name: 'version', text: 'SELECT version() AS version' };
  const outcome = await workspace.run(
    { ...request, target: { kind: 'text', source }, params: {}, overrides: {}, format: 'json' },
    { write: (bytes) => void parts.push(bytes) },
    signal,
  );
  if (outcome.status === 'failed') return { outcome, version: '' };
  const answer = JSON.parse(Buffer.concat(parts).toString('utf8'));
  return { outcome, version: String(answer.result.data[0][0]) };
}
