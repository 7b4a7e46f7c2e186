import type { ExecutionFault } from './outcome.ts';

/** How long a database that was told to stop may go on before it counts as stuck, in milliseconds. */
const GRACE_MS = 2_000;

/** The one thing that ends an execution early: its caller, the registry, or its deadline. */
export interface Stop {
  readonly signal: AbortSignal;
  readonly cancel: () => void;
  /** Why it was stopped; null while it was not. */
  reason(): 'cancelled' | 'timeout' | null;
  /** Resolves when the work still goes on some time after it was told to stop. */
  readonly stuck: Promise<ExecutionFault>;
  /** Ends the timers. */
  end(): void;
}

/** Texts for an execution that was stopped. */
export const STOP_TEXTS: Readonly<Record<'cancelled' | 'timeout', string>> = {
  cancelled: 'the execution was cancelled',
  timeout: 'the execution ran past its time limit and was stopped',
};

/** Watches the caller's `signal` and the deadline of `timeoutMs` from now (null: none). */
export function startStop(signal: AbortSignal, timeoutMs: number | null): Stop {
  const controller = new AbortController();
  const stuck = Promise.withResolvers<ExecutionFault>();
  let reason: 'cancelled' | 'timeout' | null = null;
  let grace: NodeJS.Timeout | undefined;
  const stop = (why: 'cancelled' | 'timeout') => {
    if (reason !== null) return;
    reason = why;
    controller.abort();
    grace = setTimeout(
      () => stuck.resolve({ code: why, message: STOP_TEXTS[why], diagnostics: [], stuck: true }),
      GRACE_MS,
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
      clearTimeout(grace);
      signal.removeEventListener('abort', cancel);
    },
  };
}
