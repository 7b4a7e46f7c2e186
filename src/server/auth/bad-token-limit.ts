import { present } from '../../invariants/must.ts';

const WINDOW_MS = 60_000;
const MAX_FAILURES = 100;
/** How many addresses are remembered; when there are more, the one whose minute began first is forgotten. */
const MAX_ADDRESSES = 10_000;

/** Counts the bad bearer tokens of an address (identity 1, throttling). Times are milliseconds of any steady clock. */
export interface BadTokenLimit {
  /** Notes a bad token; the seconds to wait when the address has shown too many in a minute, else null. */
  note(address: string, now: number): number | null;
}

/** A limit that is kept in memory: a minute's worth is soon learnt again. */
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
