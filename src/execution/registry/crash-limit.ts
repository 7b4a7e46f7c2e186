import { elementAt } from '../../invariants/must.ts';
import { executionErrors } from '../contract/errors.ts';

/** How many engine processes a user may end in this time, in milliseconds, and for how long the next execution waits. */
const WINDOW_MS = 10 * 60_000;
const MAX_CRASHES = 3;
const PAUSE_MS = 60_000;

/** Counts the engine processes that executions of each user have ended. */
export interface CrashLimit {
  note(owner: string): void;
  /** Throws a PausedError while the executions of a user have to wait. */
  check(owner: string): void;
}

/** No crashes counted yet. `onPause` learns of each pause; `now` is in milliseconds of any steady clock. */
export function createCrashLimit(
  onPause: (owner: string, seconds: number) => void,
  now: () => number = () => performance.now(),
): CrashLimit {
  /** When each user's crashes were, those of the window alone. */
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
