import type { ExecutionFault } from './outcome.ts';

/** Why an execution ends early. */
type StopReason = 'cancelled' | 'timeout';

/** How long a database that was told to stop may go on before it counts as stuck, in milliseconds. */
export type Grace = Readonly<Record<StopReason, number>>;

/** What stops an execution, as its work sees it. */
export interface Stop {
  readonly signal: AbortSignal;
  /** Why it was stopped; null while it was not. */
  reason(): StopReason | null;
}

/** A stop by the caller alone, whose signal it is. */
export function toStop(signal: AbortSignal): Stop {
  return { signal, reason: () => (signal.aborted ? 'cancelled' : null) };
}

/** The one thing that ends an execution early: its caller, the registry, or its deadline. */
export interface Cancellation extends Stop {
  readonly cancel: () => void;
  /** Resolves when the work still goes on some time after it was told to stop. */
  readonly stuck: Promise<ExecutionFault>;
  /** Ends the timers. */
  end(): void;
}

/** Texts for an execution that was stopped. */
export const CANCELLATION_TEXTS: Readonly<Record<StopReason, string>> = {
  cancelled: 'the execution was cancelled',
  timeout: 'the execution ran past its time limit and was stopped',
};

/**
 * Watches the caller's `signal` and the deadline of `timeoutMs` from now (null: none); after `grace`, which null
 * makes endless, the work counts as stuck.
 */
export function startCancellation(
  signal: AbortSignal,
  timeoutMs: number | null,
  grace: Grace | null,
): Cancellation {
  const controller = new AbortController();
  const stuck = Promise.withResolvers<ExecutionFault>();
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
