import { elementAt } from '../../invariants/must.ts';
import { executionErrors } from '../contract/errors.ts';

/**
 * Window in milliseconds, engine processes that a user may end within it, and how long the next execution then waits.
 */
const WINDOW_MS = 10 * 60_000;
const MAX_CRASHES = 3;
const PAUSE_MS = 60_000;

/** Counts the engine processes that the executions of each user have ended. */
export interface CrashLimit {
  note(owner: string): void;
  /** Throws a PausedError while the executions of a user are paused. */
  check(owner: string): void;
}

/**
 * Creates a limit without crashes. `onPause` is called for each pause; `now` returns milliseconds of a monotonic clock.
 */
export function createCrashLimit(
  onPause: (owner: string, seconds: number) => void,
  now: () => number = () => performance.now(),
): CrashLimit {
  /** Times of each user's crashes within the window. */
  const crashes = new Map<string, readonly number[]>();

  function forgetOld(): void {
    for (const [owner, times] of crashes) {
      const recent = times.filter((time) => now() - time < WINDOW_MS);
      if (recent.length === 0) crashes.delete(owner);
      else crashes.set(owner, recent);
    }
  }

  return {
    note(owner) {
      forgetOld();
      const times = [...(crashes.get(owner) ?? []), now()];
      crashes.set(owner, times);
      if (times.length >= MAX_CRASHES) onPause(owner, PAUSE_MS / 1000);
    },
    check(owner) {
      const times = crashes.get(owner) ?? [];
      const left = times.length < MAX_CRASHES ? 0 : elementAt(times, -1) + PAUSE_MS - now();
      if (left > 0) throw executionErrors.paused(MAX_CRASHES, Math.ceil(left / 1000));
    },
  };
}
