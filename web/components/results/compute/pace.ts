/** The time for which a computation may block the page, in milliseconds. */
const BUDGET_MS = 10;

/**
 * Lets the page work between the steps of a long computation: undefined if the computation may continue, else a promise
 * to await. Throws the reason of the signal when it is aborted.
 */
export type Pace = () => Promise<void> | undefined;

/** Creates the pace of one computation. */
export function createPace(signal: AbortSignal): Pace {
  let since = performance.now();
  return () => {
    signal.throwIfAborted();
    if (performance.now() - since < BUDGET_MS) return undefined;
    return new Promise<void>((resolve) => setTimeout(resolve)).then(() => {
      signal.throwIfAborted();
      since = performance.now();
    });
  };
}

/** The rows between two looks at the clock. */
const STEP = 512;

/** Calls `visit` for each index below `count`, at this pace. */
export async function forEachIndex(count: number, pace: Pace, visit: (index: number) => void): Promise<void> {
  for (let start = 0; start < count; start += STEP) {
    const end = Math.min(count, start + STEP);
    for (let index = start; index < end; index += 1) visit(index);
    const turn = pace();
    if (turn !== undefined) await turn;
  }
}
