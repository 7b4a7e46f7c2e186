import type { Stats } from '../../result/columns/encoder.ts';

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

export interface Stopwatch {
  /** Nanoseconds of the clock. */
  readonly started: bigint;
  readonly startedAt: string;
  /** The stats up to now (docs/reference/results.md#documents). */
  read(): Stats;
}

/** Starts to measure one execution, from now or from the given `started` time. */
export function startStopwatch(clock: NanoClock, started = clock()): Stopwatch {
  return {
    started,
    // Computed on demand, because many stopwatches are never read.
    get startedAt() {
      return formatNanos(started);
    },
    read() {
      const finished = clock();
      const duration = finished > started ? finished - started : 0n;
      return {
        started_at: formatNanos(started),
        finished_at: formatNanos(started + duration),
        duration_ms: Number(duration / 1_000_000n),
      };
    },
  };
}
