import type { ExecutionError } from './outcome.ts';
import type { ExecutionLimits } from './request.ts';

type StopCode = 'cancelled' | 'timeout';

/** Why an execution ends early. */
interface StopReason {
  readonly code: StopCode;
  readonly message: string;
}

/** How long a database may continue after a stop was requested before it counts as stuck, in milliseconds. */
export type Grace = Readonly<Record<StopCode, number>>;

/** A stop request, as seen by the work that it stops. */
export interface Stop {
  readonly signal: AbortSignal;
  /** Why it was stopped; null before that. */
  reason(): StopReason | null;
}

/** Converts the caller's signal into a stop without a deadline. */
export function toStop(signal: AbortSignal): Stop {
  return { signal, reason: () => (signal.aborted ? CANCELLED : null) };
}

/** Ends an execution early at the request of its caller or the registry, or at its deadline. */
export interface Cancellation extends Stop {
  readonly cancel: () => void;
  /** Resolves when the work still runs at the end of the grace period after a stop was requested. */
  readonly stuck: Promise<ExecutionError>;
  /** Ends the timers. */
  end(): void;
}

export const CANCELLED: StopReason = { code: 'cancelled', message: 'the execution was cancelled' };

/** The limit of an execution's time. */
type TimeLimit = Pick<ExecutionLimits, 'timeoutMs' | 'timeoutSource'>;

function createTimeout(timeoutMs: number, source: string | undefined): StopReason {
  const setter = source === undefined ? '' : `, set by ${source},`;
  const message = `the execution ran past its time limit of ${timeoutMs / 1_000} s${setter} and was stopped`;
  return { code: 'timeout', message };
}

/**
 * Watches the caller's `signal` and the deadline. After a stop and the time in
 * `grace` (null: unlimited), the work counts as stuck.
 */
export function startCancellation(
  signal: AbortSignal,
  { timeoutMs, timeoutSource }: TimeLimit,
  grace: Grace | null,
): Cancellation {
  const controller = new AbortController();
  const stuck = Promise.withResolvers<ExecutionError>();
  let reason: StopReason | null = null;
  let timer: NodeJS.Timeout | undefined;
  const stop = (why: StopReason) => {
    if (reason !== null) return;
    reason = why;
    controller.abort();
    if (grace === null) return;
    timer = setTimeout(() => stuck.resolve({ ...why, diagnostics: [], stuck: true }), grace[why.code]);
  };
  const cancel = () => stop(CANCELLED);
  const deadline =
    timeoutMs === null
      ? undefined
      : setTimeout(() => stop(createTimeout(timeoutMs, timeoutSource)), timeoutMs);
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel, { once: true });
  return {
    signal: controller.signal,
    cancel,
    reason: () => reason,
    stuck: stuck.promise,
    end() {
      clearTimeout(deadline);
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
    },
  };
}
