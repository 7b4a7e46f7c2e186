import { type Static, Type } from 'typebox';
import { MaybeTimestamp, PreciseTime } from '../../bodies/field-schemas.ts';
import type { TargetResult } from '../../engine/run/outcome/target-report.ts';
import type { ExecutionError } from '../../execution/contract/outcome.ts';

/** What all responses tell about an execution. */
export const KnownExecutionSchema = Type.Object({
  id: Type.String(),
  user: Type.String({ description: 'User name' }),
  connection: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Name of the connection; null for scripts that are checked or compiled',
  }),
  name: Type.String({ description: 'Path of a script, a package and its block, or `sql`' }),
  state: Type.Enum(['queued', 'running', 'done', 'failed', 'cancelled']),
  is_queued_by_database: Type.Boolean({
    description: 'Whether it runs, and the database has its current statement in a queue',
  }),
  requested_at: PreciseTime,
  // Null while the execution waits for its turn.
  started_at: MaybeTimestamp,
  // Null until it ends; only asynchronous executions are still available then.
  ended_at: MaybeTimestamp,
  // When the result of an ended execution is deleted.
  kept_until: MaybeTimestamp,
  rows: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'Rows of the result; of all results so far, with `results=all`',
  }),
  bytes: Type.Integer({ description: 'Bytes of the response so far' }),
  tests: Type.Union(
    [
      Type.Object(
        { total: Type.Integer({ minimum: 0 }), failed: Type.Integer({ minimum: 0 }) },
        { title: 'TestCount' },
      ),
      Type.Null(),
    ],
    { description: 'Tests of an asynchronous execution that is done; null if it ran none' },
  ),
  progress: Type.Unsafe<number | null>({
    type: ['number', 'null'],
    minimum: 0,
    maximum: 1,
    description: 'Part of the current statement that is done; null if it is unknown',
  }),
});
type KnownExecution = Static<typeof KnownExecutionSchema>;

/** An execution as its owner sees it, before the routes add the URL paths of its results. */
export interface ExecutionBody extends KnownExecution {
  /** Whether its result stays available after it ends. */
  readonly is_kept: boolean;
  /** Whether the results of all its statements are recorded. */
  readonly is_recorded: boolean;
  /** Why it failed; null for an internal error as well. */
  readonly error: ExecutionError | null;
  /** The publications that have ended. */
  readonly targets: readonly TargetResult[];
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
  | 'progress'
>;
