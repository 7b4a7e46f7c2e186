import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { ExecutionListResponse, ExecutionResponse } from '../../../src/server/exec/executions.ts';
import type { RecordingResponse } from '../../../src/server/exec/result-schemas.ts';
import type { WarningResponse } from '../../../src/server/exec/schemas.ts';
import { ApiError, request } from '../request.ts';
import { getCsrfToken, sessionQuery } from '../session.ts';

/** An error or a warning; one about a source has a position, and the lines around it in `frame`. */
export type RunMessage = WarningResponse;

/** An execution; times are ISO 8601, UTC. */
export type RunExecution = ExecutionResponse;
export type RunState = RunExecution['state'];

/** The result of a statement: rows, a number of changed rows, or none. */
export type StatementRecording = RecordingResponse['data'][number];

/** A table, a view or a file that a run has published, or has failed to publish. */
export type RecordedTarget = RecordingResponse['targets'][number];

/** The result of a test (docs/reference/testing.md#results-as-json). */
export type RecordedTest = NonNullable<RecordingResponse['tests']>[number];

/** An execution and the results of its statements so far. */
export interface RecordedRun extends Omit<RecordingResponse, 'observed_at'> {
  /** What the server's clock is ahead of the browser's, in milliseconds. */
  readonly clockOffset: number;
}

/** How long the server waits for news, in seconds. */
const WAIT = 20;
/** The pause between two requests, and after a failed one, in milliseconds. */
const PAUSE_MS = 100;
const FAILED_PAUSE_MS = 3_000;
/** The pause between two lists of running executions, in milliseconds. */
const LIVE_PAUSE_MS = 2_000;
/** A run that ends within this time is not listed, in milliseconds. */
const SHORT_RUN_MS = 1_000;

/** Whether an execution has not ended. */
export function isLive({ state }: RunExecution): boolean {
  return state === 'running' || state === 'queued';
}

/** A run, observed until it ends: each request waits for news. */
export function runQuery(id: string) {
  const queryKey = ['runs', id];
  return queryOptions({
    queryKey,
    queryFn: async ({ client, signal }): Promise<RecordedRun> => {
      const known = client.getQueryData<RecordedRun>(queryKey);
      const waiting =
        known !== undefined && isLive(known.execution)
          ? `?${new URLSearchParams({ wait: String(WAIT), after: known.version })}`
          : '';
      const path = `${printRunPath(id)}/results${waiting}`;
      const { observed_at: time, ...run } = await request<RecordingResponse>(path, { signal });
      const isListed = client.getQueryData(liveRunsQuery.queryKey)?.some((listed) => listed.id === id);
      if (isListed && !isLive(run.execution)) void client.invalidateQueries(liveRunsQuery);
      return { ...run, clockOffset: Date.parse(time) - Date.now() };
    },
    refetchInterval: ({ state: { data, error } }) => {
      if (error !== null) return isGone(error) ? false : FAILED_PAUSE_MS;
      return data !== undefined && isLive(data.execution) ? PAUSE_MS : false;
    },
    // An ended run does not change.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
}

/** When a run was requested: its id is a UUID of version 7, which begins with the milliseconds of the epoch. */
export function readRunTime(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
}

/** The pause between two requests for progress, in milliseconds. */
const PROGRESS_PAUSE_MS = 1_000;

/** The part of a run's current statement that is done; null if it is unknown. */
export function progressQuery(id: string) {
  return queryOptions({
    queryKey: ['progress', id],
    queryFn: async ({ signal }) => (await request<ExecutionResponse>(printRunPath(id), { signal })).progress,
    refetchInterval: PROGRESS_PAUSE_MS,
    retry: false,
    gcTime: 0,
  });
}

/** Whether a run is not stored, or not one of the user's. */
export function isGone(error: Error): boolean {
  return error instanceof ApiError && error.status === 404;
}

/** The user's runs that have not ended and have an address; asked again while there are some. */
export const liveRunsQuery = queryOptions({
  queryKey: ['live-runs'],
  queryFn: async ({ client, signal }): Promise<readonly RunExecution[]> => {
    const { data } = await request<ExecutionListResponse>('executions', { signal });
    const user = client.getQueryData(sessionQuery.queryKey)?.user.user_name;
    return data.filter((run) => run.user === user && run.results !== null && isLive(run));
  },
  refetchInterval: ({ state: { data = [] } }) => data.length > 0 && LIVE_PAUSE_MS,
  refetchOnWindowFocus: 'always',
});

/** Lists a run that has just started, unless it ends soon. */
export function listSoon(client: QueryClient): void {
  setTimeout(() => void client.invalidateQueries(liveRunsQuery), SHORT_RUN_MS);
}

/** Whether a run has not ended; the last known state, if the server cannot be asked. */
export async function findWhetherLive(client: QueryClient, id: string): Promise<boolean> {
  const known = client.getQueryData(runQuery(id).queryKey);
  if (known !== undefined && !isLive(known.execution)) return false;
  return request<ExecutionResponse>(printRunPath(id)).then(isLive, () => known !== undefined);
}

/** Cancels a run, and resolves when it has ended. */
export async function stopRun(client: QueryClient, id: string): Promise<void> {
  if (!(await findWhetherLive(client, id))) return;
  try {
    await cancelRun(client, id);
    for (let run: RecordedRun | null = null; run === null || isLive(run.execution); ) {
      run = await client.fetchQuery({ ...runQuery(id), staleTime: 0 });
    }
  } catch (error) {
    // A run that had ended before is deleted.
    if (!(error instanceof Error && isGone(error))) throw error;
  }
}

/** Cancels a running execution; the results so far remain. */
export async function cancelRun(client: QueryClient, id: string): Promise<void> {
  await request(printRunPath(id), { method: 'DELETE', csrfToken: getCsrfToken(client) });
}

/** Deletes a run that has ended, because another one takes its place. Otherwise, the server deletes it later. */
export async function forgetRun(client: QueryClient, id: string): Promise<void> {
  const run = client.getQueryData(runQuery(id).queryKey);
  if (run !== undefined && !isLive(run.execution)) await cancelRun(client, id).catch(() => undefined);
}

/** The path of an execution below `/console/api/`. */
export function printRunPath(id: string): string {
  return `executions/${encodeURIComponent(id)}`;
}
