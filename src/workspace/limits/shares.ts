/** Limits of a resource, for all callers in total and for each caller. */
interface ShareLimits {
  readonly total: number;
  readonly each: number;
}

/** The amounts of a shared resource that callers hold. */
export interface Shares {
  /** Takes an amount; returns false and takes nothing above a limit. */
  take(caller: string, amount: number): boolean;
  /** Releases an amount. */
  give(caller: string, amount: number): void;
}

/** Creates shares with nothing taken. */
export function createShares({ total, each }: ShareLimits): Shares {
  const byCaller = new Map<string, number>();
  let taken = 0;

  function count(caller: string, amount: number): void {
    const sum = (byCaller.get(caller) ?? 0) + amount;
    taken += amount;
    if (sum === 0) byCaller.delete(caller);
    else byCaller.set(caller, sum);
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
