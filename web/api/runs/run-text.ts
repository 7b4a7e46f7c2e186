import { queryOptions } from '@tanstack/react-query';
import type { RecordingResponse } from '../../../src/server/exec/result-schemas.ts';
import { request } from '../request.ts';
import { printRunPath } from './run.ts';

/** The text that a run has; null if the server does not keep it. */
export function runTextQuery(id: string) {
  return queryOptions({
    queryKey: ['run-text', id],
    queryFn: ({ signal }) => request<RecordingResponse>(`${printRunPath(id)}/results?text=true`, { signal }),
    select: ({ text = null }) => text,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
}
