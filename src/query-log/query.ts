/**
 * How an execution ended: `failed` with a fault of its own; `cancelled` by somebody, or because a right to it was
 * withdrawn; `timeout` at its deadline; `lost` with the engine; `left` by its client.
 */
export const OUTCOMES = ['done', 'failed', 'cancelled', 'timeout', 'lost', 'left'] as const;

export type QueryOutcome = (typeof OUTCOMES)[number];

/** One execution that has ended. Times are ISO 8601, UTC, with nanoseconds. */
export interface Query {
  readonly id: string;
  /** User name as it was then. */
  readonly user: string;
  readonly userId: string;
  /** Of the token with which it was asked for; null for none. */
  readonly tokenId: string | null;
  /** Null for what failed before one was chosen. */
  readonly connection: string | null;
  /** The path of a script, a package and its block, or `sql`. */
  readonly name: string;
  /** What was run, before parameters are put in; null where that was not read. */
  readonly statement: Statement | null;
  readonly requestedAt: string;
  /** Null for what never had its turn. */
  readonly startedAt: string | null;
  readonly endedAt: string;
  /** From its start on. */
  readonly durationMs: number;
  /** Of its answer; null without one, or when nobody has counted. */
  readonly rows: number | null;
  /** Of its answer, as they were sent before compression. */
  readonly bytes: number;
  readonly outcome: QueryOutcome;
  /** The code of the fault of what failed; never its message, which may quote values. */
  readonly fault: string | null;
  readonly address: string | null;
  readonly requestId: string | null;
}

/** SHA-256 in hexadecimal; the text itself, as far as it is kept, null where it is not. */
export interface Statement {
  readonly hash: string;
  readonly text: string | null;
}

/** An entry as it is shown. */
export interface QueryBody {
  readonly id: string;
  readonly user: string;
  readonly token: string | null;
  readonly connection: string | null;
  readonly name: string;
  readonly hash: string | null;
  readonly text: string | null;
  readonly requested_at: string;
  readonly started_at: string | null;
  readonly ended_at: string;
  readonly duration_ms: number;
  readonly rows: number | null;
  readonly bytes: number;
  readonly outcome: QueryOutcome;
  readonly fault: string | null;
  readonly address: string | null;
  readonly request_id: string | null;
}
