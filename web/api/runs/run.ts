import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { ApiError, request } from '../request.ts';
import { getCsrfToken } from '../session.ts';

/** A place in a source: `line` and `column` are counted from 1. */
interface Position {
  readonly line: number;
  readonly column: number;
}

/** An error or a warning; one about a source has a position, and the lines around it in `frame`. */
export interface RunMessage {
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly message: string;
  readonly suggestion: string | null;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly end?: Position;
  readonly frame?: string;
}

/** Why an execution failed. */
interface RunError {
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly diagnostics: readonly RunMessage[];
}

export type RunState = 'queued' | 'running' | 'done' | 'failed' | 'cancelled';

/** An execution; times are ISO 8601, UTC. */
export interface Execution {
  readonly id: string;
  readonly user: string;
  readonly connection: string | null;
  /** The script's path, the package with its block, or `sql`. */
  readonly name: string;
  readonly state: RunState;
  /** Whether it runs, and the database has its current statement in a queue. */
  readonly is_queued_by_database: boolean;
  readonly requested_at: string;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  /** When its results are deleted. */
  readonly kept_until: string | null;
  /** The rows of all results so far. */
  readonly rows: number | null;
  readonly bytes: number;
  readonly error: RunError | null;
}

/** The result of a statement: rows, a number of changed rows, or none. */
export interface StatementResult {
  readonly index: number;
  /** `none` also before it is known. */
  readonly kind: 'rows' | 'count' | 'none';
  readonly statement: {
    /** The first 500 characters. */
    readonly text: string;
    readonly file: string | null;
    readonly line: number | null;
    readonly column: number | null;
  };
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** Rows so far, or changed rows. */
  readonly rows: number | null;
  /** Bytes of its Arrow stream that can be read. */
  readonly bytes: number;
  readonly is_complete: boolean;
  /** Whether rows are missing, because a limit was reached or the statement failed. */
  readonly is_truncated: boolean;
  readonly started_at: string;
  readonly ended_at: string | null;
}

/** A table, a view or a file that a run has published, or a schema that it has created for one. */
export interface Published {
  readonly name: string;
  readonly kind: string;
  readonly rows: number | null;
  readonly seconds: number;
}

/** The result of a test (docs/reference/testing.md#results-as-json). */
export interface TestResult {
  readonly package_name: string;
  readonly test_name: string;
  readonly status: 'PASSED' | 'FAILED';
  readonly message: string;
  readonly duration_ms: number;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The first rows that make the test fail. */
  readonly sample: {
    readonly columns: readonly string[];
    readonly rows: readonly (readonly (string | null)[])[];
  } | null;
  readonly diagnostics: readonly RunMessage[];
}

/** An execution and the results of its statements so far. */
export interface Run {
  readonly execution: Execution;
  /** Identifies this state of the run. */
  readonly version: string;
  /** What the server's clock is ahead of the browser's, in milliseconds. */
  readonly clockOffset: number;
  readonly data: readonly StatementResult[];
  /** Further statements that ran, and whose results are not stored. */
  readonly omitted?: number;
  readonly published: readonly Published[];
  readonly warnings: readonly RunMessage[];
  readonly tests: readonly TestResult[] | null;
}

type ObservedRun = Omit<Run, 'clockOffset'> & { readonly observed_at: string };

/** How long the server waits for news, in seconds. */
const WAIT = 20;
/** The pause between two requests, and after a failed one, in milliseconds. */
const PAUSE_MS = 100;
const FAILED_PAUSE_MS = 3_000;

/** Whether an execution has not ended. */
export function isLive({ state }: Execution): boolean {
  return state === 'running' || state === 'queued';
}

/** A run, observed until it ends: each request waits for news. */
export function runQuery(id: string) {
  const queryKey = ['runs', id];
  return queryOptions({
    queryKey,
    queryFn: async ({ client, signal }): Promise<Run> => {
      const known = client.getQueryData<Run>(queryKey);
      const waiting =
        known !== undefined && isLive(known.execution)
          ? `?${new URLSearchParams({ wait: String(WAIT), after: known.version })}`
          : '';
      const path = `${printRunPath(id)}/results${waiting}`;
      const { observed_at: time, ...run } = await request<ObservedRun>(path, { signal });
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

/** Whether a run is not stored, or not one of the user's. */
export function isGone(error: Error): boolean {
  return error instanceof ApiError && error.status === 404;
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
