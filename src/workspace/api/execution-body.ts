import type { ExecutionError } from '../../execution/contract/outcome.ts';
import type { AsyncExecution } from '../../execution/results/async-executions.ts';

/** An execution as its owner sees it; times are in ISO 8601, UTC, with nanoseconds. */
export interface ExecutionBody {
  readonly id: string;
  /** User name. */
  readonly user: string;
  /** Null for an execution without a connection. */
  readonly connection: string | null;
  /** The script's path, the package with its block, or `sql`. */
  readonly name: string;
  readonly state: AsyncExecution['state'];
  /** Whether it runs, and the database has its current statement in a queue. */
  readonly is_queued_by_database: boolean;
  readonly requested_at: string;
  /** Null while it waits for its turn. */
  readonly started_at: string | null;
  /** Null until it ends; only asynchronous executions are still available then. */
  readonly ended_at: string | null;
  /** When the result of an ended execution is deleted. */
  readonly kept_until: string | null;
  /** Rows of the result, if the execution succeeded and has one; of all recorded results so far. */
  readonly rows: number | null;
  /** Bytes of the result so far. */
  readonly bytes: number;
  /** Whether its result stays available after it ends. */
  readonly is_kept: boolean;
  /** Whether the results of all its statements are recorded. */
  readonly is_recorded: boolean;
  /** Why it failed; null for an internal error as well. */
  readonly error: ExecutionError | null;
}

/** A running or waiting execution, as commands show it. */
export type RunningBody = Pick<
  ExecutionBody,
  | 'id'
  | 'user'
  | 'connection'
  | 'name'
  | 'state'
  | 'is_queued_by_database'
  | 'requested_at'
  | 'started_at'
  | 'bytes'
>;
