import type { ResultSource } from '../source/result-source.ts';
import { type Bin, BinCounter } from './bins.ts';
import { forEachIndex, type Pace } from './pace.ts';

const MAX_BINS = 24;

/** The distribution of finite numbers of a column in a few bars; integers in a small range have a bar each. */
export async function countBins(
  { columns }: ResultSource,
  column: number,
  numbers: Float64Array,
  pace: Pace,
): Promise<readonly Bin[]> {
  if (numbers.length === 0) return [];
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  await forEachIndex(numbers.length, pace, (at) => {
    const number = numbers[at] ?? 0;
    low = Math.min(low, number);
    high = Math.max(high, number);
  });
  const hasOneEach = columns[column]?.type === 'INTEGER' && high - low < MAX_BINS;
  const counter = createCounter(low, high, hasOneEach);
  await forEachIndex(numbers.length, pace, (at) => counter.add(numbers[at] ?? 0));
  const bins = counter.list();
  return hasOneEach ? bins.map((bin) => ({ ...bin, to: bin.from })) : bins;
}

function createCounter(low: number, high: number, hasOneEach: boolean): BinCounter {
  if (hasOneEach) return new BinCounter(low, 1, high - low + 1);
  return new BinCounter(low, (high - low) / MAX_BINS, low === high ? 1 : MAX_BINS);
}
