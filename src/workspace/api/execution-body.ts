import type { ExecutionFault } from '../../execution/contract/outcome.ts';
import type { AsyncExecution } from '../../execution/results/async-executions.ts';

/** An execution as its owner may see it; times are in ISO 8601, UTC, with nanoseconds. */
export interface ExecutionBody {
  readonly id: string;
  /** User name. */
  readonly user: string;
  /** Null for one that needs none. */
  readonly connection: string | null;
  /** The script's path, the package and its block, or `sql`. */
  readonly name: string;
  readonly state: AsyncExecution['state'];
  readonly requested_at: string;
  /** When its turn came; null while it waits. */
  readonly started_at: string | null;
  /** Null while it has not ended; only one that is kept is there afterwards. */
  readonly ended_at: string | null;
  /** When an ended one is forgotten. */
  readonly kept_until: string | null;
  /** Of the result of one that is done, if it has one. */
  readonly rows: number | null;
  /** Of its answer, so far. */
  readonly bytes: number;
  /** Whether its result can be had later. */
  readonly is_kept: boolean;
  /** Why it failed; null as well of one that failed by a bug. */
  readonly fault: ExecutionFault | null;
}

/** One that runs or waits, as commands show it. */
export type RunningBody = Pick<
  ExecutionBody,
  'id' | 'user' | 'connection' | 'name' | 'state' | 'requested_at' | 'started_at' | 'bytes'
>;
