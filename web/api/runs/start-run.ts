import type { QueryClient } from '@tanstack/react-query';
import type { BundleRunBody } from '../../../src/server/exec/bundle-body.ts';
import type { ExecutionResponse } from '../../../src/server/exec/executions.ts';
import { request } from '../request.ts';
import { getCsrfToken } from '../session.ts';

/**
 * Starts a run of files that are not stored (docs/reference/exec-bundle.md), whose results are stored; returns its id.
 * It continues when the person leaves the page.
 */
export async function startRun(client: QueryClient, body: BundleRunBody): Promise<string> {
  const { id } = await request<ExecutionResponse>('exec/bundle?results=all', {
    method: 'POST',
    body,
    headers: { prefer: 'respond-async' },
    csrfToken: getCsrfToken(client),
  });
  return id;
}
