import type { ResultSource } from '../results/source/result-source.ts';

/** The number of bins that a histogram has at most. */
const MAX_BINS = 50;

/** A part of the range of a column, and how many values are in it; the last one includes its end. */
export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Counts all values of a column in equal parts of their range; `left` are those without a place. */
export function countBins(source: ResultSource, column: number): { bins: readonly Bin[]; left: number } {
  const [least, greatest, count] = findRange(source, column);
  if (count === 0) return { bins: [], left: source.rowCount };
  const step = chooseStep(greatest - least);
  const start = Math.floor(least / step) * step;
  const counts = new Array<number>(Math.floor((greatest - start) / step) + 1).fill(0);
  for (let row = 0; row < source.rowCount; row += 1) {
    const value = source.getNumber(row, column);
    if (!isPlaced(value)) continue;
    const at = Math.min(counts.length - 1, Math.max(0, Math.floor((value - start) / step)));
    counts[at] = (counts[at] ?? 0) + 1;
  }
  const bins = counts.map((own, at) => ({
    from: start + at * step,
    to: start + (at + 1) * step,
    count: own,
  }));
  return { bins, left: source.rowCount - count };
}

function findRange(source: ResultSource, column: number): readonly [number, number, number] {
  let [least, greatest, count] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (let row = 0; row < source.rowCount; row += 1) {
    const value = source.getNumber(row, column);
    if (!isPlaced(value)) continue;
    least = Math.min(least, value);
    greatest = Math.max(greatest, value);
    count += 1;
  }
  return [least, greatest, count];
}

function isPlaced(value: number | null): value is number {
  return value !== null && Number.isFinite(value);
}

/** The least of 1, 2 and 5 with any number of zeros that divides a range into few enough bins. */
function chooseStep(range: number): number {
  if (range === 0) return 1;
  const wanted = range / MAX_BINS;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const factor = [1, 2, 5].find((each) => each * power >= wanted) ?? 10;
  return factor * power;
}
