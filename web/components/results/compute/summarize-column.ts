import type { ResultSource } from '../source/result-source.ts';
import { type Bin, isPlaced } from './bins.ts';
import { countBins } from './count-bins.ts';
import { forEachIndex, type Pace } from './pace.ts';
import { findQuartiles, type Quartiles, sortNumbers } from './quartiles.ts';
import { compareKeys, createKeyReader, createNestedReader, type OrderKey } from './sort-keys.ts';
import { MAX_SHOWN, type ValueCount, ValueCounter } from './value-counter.ts';

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
  let [nulls, sum, numbers] = [0, 0, 0];
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
  });
  const print = (row: number | null) => (row === null ? null : source.getText(row, column, MAX_SHOWN));
  const bins = await countBins(source, column, placed.subarray(0, numbers), pace);
  const sorted = await sortNumbers(placed.subarray(0, numbers), pace);
  return {
    rows: rows.length,
    nulls,
    distinct: values.distinct,
    min: print(extremes.least),
    max: print(extremes.greatest),
    mean: numbers > 0 && isNumeric(source, column) ? sum / numbers : null,
    quartiles: findQuartiles(sorted, isNumeric(source, column)),
    bins,
    top: values.listTop(source, column),
  };
}

function isNumeric({ columns }: ResultSource, column: number): boolean {
  return ['INTEGER', 'DECIMAL', 'DOUBLE'].includes(columns[column]?.type ?? '');
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
