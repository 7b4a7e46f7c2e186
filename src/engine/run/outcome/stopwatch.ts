import type { Stats } from '../../result/columns/stats.ts';
import { formatNanos, type NanoClock } from './clock.ts';

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
