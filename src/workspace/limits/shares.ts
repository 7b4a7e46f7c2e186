/** How much of something there is for all callers together, and for each of them. */
interface ShareLimits {
  readonly total: number;
  readonly each: number;
}

/** What each caller has of something that all of them share. */
export interface Shares {
  /** Takes more of it; false, and nothing is taken, where that would be too much. */
  take(caller: string, amount: number): boolean;
  /** Gives back what was taken. */
  give(caller: string, amount: number): void;
}

/** Nothing taken yet. */
export function createShares({ total, each }: ShareLimits): Shares {
  const byCaller = new Map<string, number>();
  let taken = 0;

  function count(caller: string, amount: number): void {
    const own = (byCaller.get(caller) ?? 0) + amount;
    taken += amount;
    if (own === 0) byCaller.delete(caller);
    else byCaller.set(caller, own);
  }

  return {
    take(caller, amount) {
      if (taken + amount > total || (byCaller.get(caller) ?? 0) + amount > each) return false;
      count(caller, amount);
      return true;
    },
    give: (caller, amount) => count(caller, -amount),
  };
}
