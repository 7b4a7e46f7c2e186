import type { Sink } from '../../engine/result/columns/sink.ts';
import type { Clock } from '../../engine/run/outcome/clock.ts';
import { type Stopwatch, startStopwatch } from '../../engine/run/outcome/stopwatch.ts';
import { type Cancellation, type Grace, startCancellation } from '../contract/cancellation.ts';
import { countSink } from '../contract/count-sink.ts';
import { toFault } from '../contract/fault.ts';
import type { ExecutionFault, ExecutionOutcome } from '../contract/outcome.ts';
import { type ExecutionRequest, isInspection } from '../contract/request.ts';
import { guardSink } from '../contract/sink-error.ts';
import type { ExecutionRegistry, NewExecution, RunningSlot } from './registry.ts';

/** What every host needs to let executions in. */
export interface TurnOptions {
  readonly clock: Clock;
  readonly registry: ExecutionRegistry;
  /** When work that was told to stop counts as stuck; null: never. */
  readonly grace: Grace | null;
}

/** What an execution whose turn has come works with; its sink fails with SinkErrors only. */
interface Turn {
  readonly sink: Sink;
  readonly watch: Stopwatch;
  readonly cancellation: Cancellation;
}

/**
 * Enters a request, waits for its turn and does its work. Its deadline counts from now on, so that nothing waits
 * longer in the queue than it may run; its stats from its turn. What `work` rejects with becomes a failed outcome;
 * rejects only for a bug.
 */
export async function runInTurn(
  { clock, registry, grace }: TurnOptions,
  request: ExecutionRequest,
  sink: Sink,
  signal: AbortSignal,
  work: (turn: Turn) => Promise<ExecutionOutcome>,
): Promise<ExecutionOutcome> {
  const cancellation = startCancellation(signal, request.limits.timeoutMs, grace);
  let watch = startStopwatch(clock);
  let place: RunningSlot | null = null;
  try {
    place = await registry.enter(entryOf(request, watch.startedAt), cancellation, () => {
      watch = startStopwatch(clock, request.started);
      return watch.startedAt;
    });
    return await work({ sink: countSink(guardSink(sink), place.count), watch, cancellation });
  } catch (error) {
    const outcome = failed(watch, toFault(error, cancellation));
    return place === null ? { ...outcome, neverBegan: true } : outcome;
  } finally {
    cancellation.end();
    place?.leave();
  }
}

type FailedOutcome = Extract<ExecutionOutcome, { readonly status: 'failed' }>;

/** The outcome of an execution that ends now with a fault. */
export function failed(watch: Stopwatch, fault: ExecutionFault): FailedOutcome {
  return { status: 'failed', stats: watch.read(), fault };
}

function entryOf(request: ExecutionRequest, requestedAt: string): NewExecution {
  const { id, owner, name, token = null, session = null, connection, semantic, work } = request;
  const own = isInspection(work) ? null : (semantic ?? connection.name);
  const behind = semantic === undefined ? undefined : connection.name;
  return { id, owner, token, session, connection: own, behind, name, requestedAt };
}
