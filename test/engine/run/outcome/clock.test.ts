import { describe, expect, it } from 'vitest';
import { createNanoClock, formatNanos, startStopwatch } from '../../../../src/engine/run/outcome/clock.ts';

describe('the clock', () => {
  it('returns the time of day and never goes back within a run', () => {
    const clock = createNanoClock();
    const times = Array.from({ length: 1000 }, () => clock());
    expect(times.every((time, i) => i === 0 || time >= times[i - 1]!)).toBe(true);
    const before = Date.now();
    const time = Number(clock() / 1_000_000n);
    expect(time).toBeGreaterThan(before - 1000);
    expect(time).toBeLessThan(Date.now() + 1000);
  });

  it('prints nine digits of a second', () => {
    expect(formatNanos(0n)).toBe('1970-01-01T00:00:00.000000000Z');
    expect(formatNanos(1_767_323_045_000_000_007n)).toBe('2026-01-02T03:04:05.000000007Z');
  });
});

describe('the stopwatch', () => {
  it('returns the stats of the interface', () => {
    const times = [1_000_000_000n, 3_500_999_999n];
    const watch = startStopwatch(() => times.shift()!);
    expect(watch.read()).toEqual({
      started_at: '1970-01-01T00:00:01.000000000Z',
      finished_at: '1970-01-01T00:00:03.500999999Z',
      duration_ms: 2500,
    });
  });

  it('never returns a negative duration', () => {
    const times = [5_000_000n, 1_000_000n];
    expect(startStopwatch(() => times.shift()!).read().duration_ms).toBe(0);
  });
});
