/** Returns the time of day in nanoseconds since 1970-01-01 UTC. */
export type NanoClock = () => bigint;

const TOLERANCE = 5_000_000n;

/**
 * A clock with the resolution of the monotonic timer, anchored to the time of day; it follows the time of
 * day when the two drift apart (a suspended machine, a corrected clock).
 */
export function createNanoClock(): NanoClock {
  const wall = () => BigInt(Date.now()) * 1_000_000n;
  let [anchor, tick] = [wall(), process.hrtime.bigint()];
  return () => {
    const now = anchor + process.hrtime.bigint() - tick;
    const drift = now - wall();
    if (drift > -TOLERANCE && drift < TOLERANCE) return now;
    [anchor, tick] = [wall(), process.hrtime.bigint()];
    return anchor;
  };
}

/** ISO 8601 in UTC with nanoseconds: `2026-01-02T03:04:05.123456789Z`. */
export function formatNanos(time: bigint): string {
  const fraction = String(time % 1_000_000_000n).padStart(9, '0');
  return `${new Date(Number(time / 1_000_000n)).toISOString().slice(0, 19)}.${fraction}Z`;
}
