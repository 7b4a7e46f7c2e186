import type { ResultSource } from '../source/result-source.ts';
import { type Bin, BinCounter, isPlaced } from './bins.ts';
import { forEachIndex, type Pace } from './pace.ts';
import { findQuartiles, type Quartiles, sortNumbers } from './quartiles.ts';
import {
  compareKeys,
  createKeyReader,
  createNestedReader,
  type OrderKey,
  type SortKey,
} from './sort-keys.ts';

/** A value and the number of its rows. */
export interface ValueCount {
  readonly text: string;
  readonly count: number;
}

/** Facts about the values of a column. */
export interface ColumnSummary {
  readonly rows: number;
  readonly nulls: number;
  /** The number of different values; null if there are more than can be counted. */
  readonly distinct: number | null;
  /** The least and the greatest value; null without values. */
  readonly min: string | null;
  readonly max: string | null;
  /** The mean of numbers, as the nearest double; null for other types. */
  readonly mean: number | null;
  /** Those of numbers and times; null for other types. */
  readonly quartiles: Quartiles | null;
  /** The distribution of numbers and times; empty for other types. */
  readonly bins: readonly Bin[];
  /** The most frequent values; empty if they are not known. */
  readonly top: readonly ValueCount[];
}

/** The maximum different values to count, and the UTF-16 units of their texts. */
const MAX_DISTINCT = 100_000;
const MAX_TEXT = 16 * 1024 * 1024;
const MAX_BINS = 24;
const MAX_TOP = 6;
/** The UTF-16 units of a value to show. */
const MAX_SHOWN = 200;

/** Summarizes a column of the given rows, at the given pace. */
export async function summarizeColumn(
  source: ResultSource,
  rows: Uint32Array,
  column: number,
  pace: Pace,
): Promise<ColumnSummary> {
  const read = createKeyReader(source, column);
  const readParts = createNestedReader(source, column);
  const values = new ValueCounter();
  const extremes = new Extremes();
  const placed = new Float64Array(rows.length);
  let [nulls, sum, numbers, low, high] = [0, 0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  await forEachIndex(rows.length, pace, (at) => {
    const row = rows[at] ?? 0;
    const key = read(row);
    if (key === null) {
      nulls += 1;
      return;
    }
    values.add(key, row);
    extremes.add(readParts?.(row) ?? key, row);
    const number = source.getNumber(row, column);
    if (!isPlaced(number)) return;
    sum += number;
    placed[numbers] = number;
    numbers += 1;
    low = Math.min(low, number);
    high = Math.max(high, number);
  });
  const print = (row: number | null) => (row === null ? null : source.getText(row, column, MAX_SHOWN));
  // Integers in a small range have a bar each.
  const hasOneEach = isWhole(source, column) && high - low < MAX_BINS;
  const counter = numbers === 0 ? null : createCounter(low, high, hasOneEach);
  await forEachIndex(numbers, pace, (at) => counter?.add(placed[at] ?? 0));
  const sorted = await sortNumbers(placed.subarray(0, numbers), pace);
  const bins = counter?.list() ?? [];
  return {
    rows: rows.length,
    nulls,
    distinct: values.distinct,
    min: print(extremes.least),
    max: print(extremes.greatest),
    mean: numbers > 0 && isNumeric(source, column) ? sum / numbers : null,
    quartiles: findQuartiles(sorted, isNumeric(source, column)),
    bins: hasOneEach ? bins.map((bin) => ({ ...bin, to: bin.from })) : bins,
    top: values.listTop().map(({ row, count }) => ({ text: print(row) ?? '', count })),
  };
}

function createCounter(low: number, high: number, hasOneEach: boolean): BinCounter {
  if (hasOneEach) return new BinCounter(low, 1, high - low + 1);
  return new BinCounter(low, (high - low) / MAX_BINS, low === high ? 1 : MAX_BINS);
}

function isNumeric({ columns }: ResultSource, column: number): boolean {
  return ['INTEGER', 'DECIMAL', 'DOUBLE'].includes(columns[column]?.type ?? '');
}

function isWhole({ columns }: ResultSource, column: number): boolean {
  return columns[column]?.type === 'INTEGER';
}

/** Counts different values up to a limit. */
class ValueCounter {
  readonly #counts = new Map<SortKey, { readonly row: number; count: number }>();
  #text = 0;
  #isOver = false;

  get distinct(): number | null {
    return this.#isOver ? null : this.#counts.size;
  }

  add(key: SortKey, row: number): void {
    if (this.#isOver) return;
    const known = this.#counts.get(key);
    if (known !== undefined) {
      known.count += 1;
      return;
    }
    this.#counts.set(key, { row, count: 1 });
    if (typeof key === 'string') this.#text += key.length;
    this.#isOver = this.#counts.size > MAX_DISTINCT || this.#text > MAX_TEXT;
    if (this.#isOver) this.#counts.clear();
  }

  /** The values that occur most often, each by one of its rows; none if all values are different. */
  listTop(): readonly { readonly row: number; readonly count: number }[] {
    const sorted = [...this.#counts.values()].toSorted((one, other) => other.count - one.count);
    return (sorted[0]?.count ?? 0) > 1 ? sorted.slice(0, MAX_TOP) : [];
  }
}

/** The rows of the least and of the greatest value. */
class Extremes {
  #least: { readonly key: OrderKey; readonly row: number } | null = null;
  #greatest: { readonly key: OrderKey; readonly row: number } | null = null;

  get least(): number | null {
    return this.#least?.row ?? null;
  }

  get greatest(): number | null {
    return this.#greatest?.row ?? null;
  }

  add(key: OrderKey, row: number): void {
    if (this.#least === null || compareKeys(key, this.#least.key) < 0) this.#least = { key, row };
    if (this.#greatest === null || compareKeys(key, this.#greatest.key) > 0) this.#greatest = { key, row };
  }
}
