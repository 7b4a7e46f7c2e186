import type { SessionStatus } from '../../engine/connection/contract/connection.ts';
import type { RowChange } from '../../engine/run/interactive/changes.ts';
import type { SessionTrace } from '../../engine/run/interactive/session-traces.ts';

/** The state of the database session of an interactive session. */
export interface LastingState extends Pick<SessionStatus, 'transaction'> {
  /** Everything else that a later statement could miss, as far as the statements show. */
  readonly traces: readonly SessionTrace[];
  /** Whether the session keeps the file of its database open. */
  readonly holdsFile: boolean;
}

/** The interactive session that an execution belongs to. */
export interface Lasting {
  /** Null: no session can be kept, so that statements whose effect would be lost are refused. */
  readonly id: string | null;
  /** What earlier executions have left. If it is lost, nothing runs. */
  readonly expects: LastingState;
}

/** What an execution of an interactive session has left and changed. */
export interface LastingOutcome extends LastingState {
  readonly changes: readonly RowChange[];
}

export const NOTHING_LEFT: LastingState = { transaction: 'none', traces: [], holdsFile: false };

/** Names what a session has; empty if the loss of the session loses nothing. */
export function listLeft({ transaction, traces }: LastingState): readonly string[] {
  const others = traces.filter((trace) => trace !== 'open transaction');
  return transaction === 'none' ? others : ['open transaction', ...others];
}

/** Prints a list as a part of a sentence. */
export function printLeft(left: readonly string[]): string {
  const [last, ...others] = left.toReversed();
  return others.length === 0 ? `the ${last}` : `the ${others.toReversed().join(', ')} and ${last}`;
}
