import type { ExecutionError } from './outcome.ts';

/** Why an execution ends early. */
type StopReason = 'cancelled' | 'timeout';

/** How long a database may continue after a stop was requested before it counts as stuck, in milliseconds. */
export type Grace = Readonly<Record<StopReason, number>>;

/** A stop request, as seen by the work that it stops. */
export interface Stop {
  readonly signal: AbortSignal;
  /** Why it was stopped; null before that. */
  reason(): StopReason | null;
}

/** Converts the caller's signal into a stop without a deadline. */
export function toStop(signal: AbortSignal): Stop {
  return { signal, reason: () => (signal.aborted ? 'cancelled' : null) };
}

/** Ends an execution early at the request of its caller or the registry, or at its deadline. */
export interface Cancellation extends Stop {
  readonly cancel: () => void;
  /** Resolves when the work still runs at the end of the grace period after a stop was requested. */
  readonly stuck: Promise<ExecutionError>;
  /** Ends the timers. */
  end(): void;
}

/** Messages for an execution that was stopped. */
export const CANCELLATION_TEXTS: Readonly<Record<StopReason, string>> = {
  cancelled: 'the execution was cancelled',
  timeout: 'the execution ran past its time limit and was stopped',
};

/**
 * Watches the caller's `signal` and the deadline in `timeoutMs` (null: no deadline). After a stop and the time in
 * `grace` (null: unlimited), the work counts as stuck.
 */
export function startCancellation(
  signal: AbortSignal,
  timeoutMs: number | null,
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
    timer = setTimeout(
      () => stuck.resolve({ code: why, message: CANCELLATION_TEXTS[why], diagnostics: [], stuck: true }),
      grace[why],
    );
  };
  const cancel = () => stop('cancelled');
  const deadline = timeoutMs === null ? undefined : setTimeout(() => stop('timeout'), timeoutMs);
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
