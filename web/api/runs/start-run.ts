import type { QueryClient } from '@tanstack/react-query';
import type { BundleRunBody } from '../../../src/server/exec/bundle-body.ts';
import type { ExecutionResponse } from '../../../src/server/exec/executions.ts';
import type { BlockRunBody, ScriptRunBody, SqlRunBody } from '../../../src/server/exec/fields.ts';
import { request } from '../request.ts';
import { getCsrfToken } from '../session.ts';

/**
 * What to run: a stored script, a block of one, SQL, or files that are not stored (docs/reference/exec.md;
 * docs/reference/exec-bundle.md).
 */
type RunTarget =
  | ({ readonly kind: 'script' } & Pick<ScriptRunBody, 'path'>)
  | ({ readonly kind: 'block' } & Pick<BlockRunBody, 'package' | 'block_name' | 'args'>)
  | ({ readonly kind: 'sql' } & Pick<SqlRunBody, 'sql'>)
  | ({ readonly kind: 'bundle' } & Pick<
      BundleRunBody,
      'what' | 'files' | 'base' | 'path' | 'block' | 'args' | 'package'
    >);

/** A run to start. */
interface RunRequest {
  readonly target: RunTarget;
  readonly params?: ScriptRunBody['params'];
  /** Absent for the connection of the project. */
  readonly connection?: ScriptRunBody['connection'];
}

/** Starts a run whose results are stored; returns its id. It continues when the person leaves the page. */
export async function startRun(
  client: QueryClient,
  { target, params, connection }: RunRequest,
): Promise<string> {
  const { kind, ...fields } = target;
  const body = { ...fields, ...(params && { params }), ...(connection && { connection }) };
  const { id } = await request<ExecutionResponse>(`exec/${kind}?results=all`, {
    method: 'POST',
    body,
    headers: { prefer: 'respond-async' },
    csrfToken: getCsrfToken(client),
  });
  return id;
}
