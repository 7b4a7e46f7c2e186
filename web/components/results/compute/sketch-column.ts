import type { ResultSource } from '../source/result-source.ts';
import { type Bin, isPlaced } from './bins.ts';
import { countBins } from './count-bins.ts';
import { forEachIndex, type Pace } from './pace.ts';
import { createKeyReader } from './sort-keys.ts';
import { type ValueCount, ValueCounter } from './value-counter.ts';

/** What the header of a column shows about its values. */
export interface ColumnSketch {
  readonly rows: number;
  readonly nulls: number;
  /** The distribution of numbers and times; empty for other types. */
  readonly bins: readonly Bin[];
  /** The most frequent values of other types; empty if they are not known, or if all values are different. */
  readonly top: readonly ValueCount[];
}

const PLACED: readonly string[] = ['INTEGER', 'DECIMAL', 'DOUBLE', 'DATE', 'TIMESTAMP', 'TIME'];

/** Sketches a column of the given rows, at the given pace. */
export function sketchColumn(
  source: ResultSource,
  rows: Uint32Array,
  column: number,
  pace: Pace,
): Promise<ColumnSketch> {
  const isOrdered = PLACED.includes(source.columns[column]?.type ?? '');
  return (isOrdered ? sketchNumbers : sketchValues)(source, rows, column, pace);
}

async function sketchNumbers(
  source: ResultSource,
  rows: Uint32Array,
  column: number,
  pace: Pace,
): Promise<ColumnSketch> {
  const placed = new Float64Array(rows.length);
  let [nulls, numbers] = [0, 0];
  await forEachIndex(rows.length, pace, (at) => {
    const row = rows[at] ?? 0;
    const number = source.getNumber(row, column);
    if (isPlaced(number)) {
      placed[numbers] = number;
      numbers += 1;
    } else if (source.getValue(row, column) === null) {
      nulls += 1;
    }
  });
  const bins = await countBins(source, column, placed.subarray(0, numbers), pace);
  return { rows: rows.length, nulls, bins, top: [] };
}

async function sketchValues(
  source: ResultSource,
  rows: Uint32Array,
  column: number,
  pace: Pace,
): Promise<ColumnSketch> {
  const read = createKeyReader(source, column);
  const values = new ValueCounter();
  let nulls = 0;
  await forEachIndex(rows.length, pace, (at) => {
    const row = rows[at] ?? 0;
    const key = read(row);
    if (key === null) nulls += 1;
    else values.add(key, row);
  });
  return { rows: rows.length, nulls, bins: [], top: values.listTop(source, column) };
}
