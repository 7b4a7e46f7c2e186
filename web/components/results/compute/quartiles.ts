import { forEachIndex, type Pace } from './pace.ts';

/** The numbers that are sorted at once, before they are merged. */
const RUN = 8_192;

/** Sorts finite numbers, at this pace; the memory of `numbers` is used. */
export async function sortNumbers(numbers: Float64Array, pace: Pace): Promise<Float64Array> {
  let [from, to]: [Float64Array, Float64Array] = [numbers, new Float64Array(numbers.length)];
  for (let start = 0; start < from.length; start += RUN) {
    from.subarray(start, start + RUN).sort();
    const turn = pace();
    if (turn !== undefined) await turn;
  }
  for (let width = RUN; width < from.length; width *= 2) {
    for (let start = 0; start < from.length; start += 2 * width)
      await mergeRuns(from, to, start, width, pace);
    [from, to] = [to, from];
  }
  return from;
}

async function mergeRuns(
  from: Float64Array,
  to: Float64Array,
  start: number,
  width: number,
  pace: Pace,
): Promise<void> {
  const middle = Math.min(start + width, from.length);
  const end = Math.min(start + 2 * width, from.length);
  let [left, right] = [start, middle];
  await forEachIndex(end - start, pace, (i) => {
    const [one, other] = [from[left] ?? 0, from[right] ?? 0];
    const takesLeft = right >= end || (left < middle && one <= other);
    to[start + i] = takesLeft ? one : other;
    if (takesLeft) left += 1;
    else right += 1;
  });
}

/** The values below which a quarter, half and three quarters of sorted numbers are. */
export interface Quartiles {
  readonly lower: number;
  readonly median: number;
  readonly upper: number;
}

/**
 * The quartiles of sorted numbers, as the database has them: between two numbers they are interpolated (`quantile_cont`),
 * or, if they must be values, the first of the two (`quantile_disc`). Null without numbers.
 */
export function findQuartiles(sorted: Float64Array, isInterpolated: boolean): Quartiles | null {
  if (sorted.length === 0) return null;
  const find = isInterpolated ? interpolate : chooseValue;
  return { lower: find(sorted, 0.25), median: find(sorted, 0.5), upper: find(sorted, 0.75) };
}

function interpolate(sorted: Float64Array, share: number): number {
  const place = (sorted.length - 1) * share;
  const first = Math.floor(place);
  const [low, high] = [sorted[first] ?? 0, sorted[Math.ceil(place)] ?? 0];
  return low === high ? low : low + (high - low) * (place - first);
}

function chooseValue(sorted: Float64Array, share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}
