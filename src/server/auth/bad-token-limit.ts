import { present } from '../../invariants/must.ts';

const WINDOW_MS = 60_000;
const MAX_FAILURES = 100;
/** Maximum remembered addresses; beyond that, the address with the oldest minute is removed. */
const MAX_ADDRESSES = 10_000;

/**
 * Counts invalid bearer tokens by address (docs/reference/tokens.md#invalid-tokens). Times are milliseconds of a
 * monotonic clock.
 */
export interface BadTokenLimit {
  /** Records an invalid token; returns the seconds to wait after too many in a minute, else null. */
  note(address: string, now: number): number | null;
}

/** A limit in memory: after a restart, one minute of counts is lost. */
export function createBadTokenLimit(): BadTokenLimit {
  const windows = new Map<string, { readonly since: number; count: number }>();
  return {
    note: (address, now) => {
      const known = windows.get(address);
      if (known === undefined || now - known.since >= WINDOW_MS) {
        windows.delete(address);
        if (windows.size >= MAX_ADDRESSES) windows.delete(present(windows.keys().next().value));
        windows.set(address, { since: now, count: 1 });
        return null;
      }
      known.count++;
      return known.count < MAX_FAILURES ? null : Math.ceil((known.since + WINDOW_MS - now) / 1000);
    },
  };
}
