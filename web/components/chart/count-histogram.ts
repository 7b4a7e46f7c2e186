import { type Bin, BinCounter, isPlaced } from '../results/compute/bins.ts';
import type { ResultSource } from '../results/source/result-source.ts';

/** The number of bins that a histogram has at most. */
const MAX_BINS = 50;

/** Counts all values of a column in equal parts of their range; `left` are those without a place. */
export function countHistogram(source: ResultSource, column: number): { bins: readonly Bin[]; left: number } {
  const [least, greatest, count] = findRange(source, column);
  if (count === 0) return { bins: [], left: source.rowCount };
  const step = chooseStep(greatest - least);
  const start = Math.floor(least / step) * step;
  const counter = new BinCounter(start, step, Math.floor((greatest - start) / step) + 1);
  for (let row = 0; row < source.rowCount; row += 1) {
    const value = source.getNumber(row, column);
    if (isPlaced(value)) counter.add(value);
  }
  return { bins: counter.list(), left: source.rowCount - count };
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

/** The least of 1, 2 and 5 with any number of zeros that divides a range into few enough bins. */
function chooseStep(range: number): number {
  if (range === 0) return 1;
  const wanted = range / MAX_BINS;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const factor = [1, 2, 5].find((step) => step * power >= wanted) ?? 10;
  return factor * power;
}
