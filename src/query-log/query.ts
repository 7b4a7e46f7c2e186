/**
 * How an execution ended: `failed` with an error; `cancelled` by a user, or because a right was withdrawn; `timeout` at
 * its deadline; `lost` with the engine; `left` because its client disconnected.
 */
export const OUTCOMES = ['done', 'failed', 'cancelled', 'timeout', 'lost', 'left'] as const;

export type QueryOutcome = (typeof OUTCOMES)[number];

/** One finished execution. Times are ISO 8601, UTC, with nanoseconds. */
export interface Query {
  readonly id: string;
  /** User name at the time of the execution. */
  readonly user: string;
  readonly userId: string;
  /** Id of the token of the request; null without a token. */
  readonly tokenId: string | null;
  /** Null if it failed before a connection was chosen. */
  readonly connection: string | null;
  /** The path of a script, a package and its block, or `sql`. */
  readonly name: string;
  /** The statement before parameters were substituted; null if it was not read. */
  readonly statement: LoggedStatement | null;
  readonly requestedAt: string;
  /** Null if it never left the queue. */
  readonly startedAt: string | null;
  readonly endedAt: string;
  /** Measured from its start. */
  readonly durationMs: number;
  /** Rows of the answer; null without rows, or if they were not counted. */
  readonly rows: number | null;
  /** Bytes of the answer before compression. */
  readonly bytes: number;
  readonly outcome: QueryOutcome;
  /** The error code of a failed execution; not its message, which may contain values. */
  readonly fault: string | null;
  readonly address: string | null;
  readonly requestId: string | null;
}

/** SHA-256 in hexadecimal, and the statement itself; null when it is not kept. */
export interface LoggedStatement {
  readonly hash: string;
  readonly text: string | null;
}
