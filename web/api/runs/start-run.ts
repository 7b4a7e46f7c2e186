import type { QueryClient } from '@tanstack/react-query';
import type { ExecutionResponse } from '../../../src/server/exec/executions.ts';
import { request } from '../request.ts';
import { getCsrfToken } from '../session.ts';

/** A file of a bundle, which can replace a script of the catalog. */
interface BundleFile {
  readonly path: string;
  readonly content: string;
}

/**
 * What to run: a stored script, a block of one, SQL, or files that are not stored (docs/reference/exec.md;
 * docs/reference/exec-bundle.md).
 */
type RunTarget =
  | { readonly kind: 'script'; readonly path: string }
  | {
      readonly kind: 'block';
      readonly package: string;
      readonly block_name: string;
      readonly args?: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: 'sql'; readonly sql: string }
  | {
      readonly kind: 'bundle';
      readonly what: 'run' | 'tests';
      readonly files: readonly BundleFile[];
      /** The folder of the catalog to which the paths of the files are relative. */
      readonly base?: string;
      readonly path?: string;
      readonly block?: string;
      readonly args?: Readonly<Record<string, unknown>>;
      readonly package?: string;
    };

/** A run to start. */
interface RunRequest {
  readonly target: RunTarget;
  readonly params?: Readonly<Record<string, unknown>>;
  /** Absent for the connection of the project. */
  readonly connection?: {
    readonly name: string;
    readonly overrides?: Readonly<Record<string, string>>;
  };
}

/** Starts a run whose results are stored; returns its id. It continues when the person leaves the page. */
export async function startRun(
  client: QueryClient,
  { target, params, connection }: RunRequest,
): Promise<string> {
  const { kind, ...fields } = target;
  const { id } = await request<ExecutionResponse>(`exec/${kind}?results=all`, {
    method: 'POST',
    body: { ...fields, ...(params && { params }), ...(connection && { connection }) },
    headers: { prefer: 'respond-async' },
    csrfToken: getCsrfToken(client),
  });
  return id;
}
