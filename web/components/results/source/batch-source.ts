import type { ColumnType } from '../../../../src/engine/result/columns/column.ts';
import {
  type BatchData,
  createBatchReader,
  hasValue,
  type ReadRow,
  type RowBatch,
  readTextStart,
} from './batch-values.ts';
import { createNumberReader, createTextReader } from './print-value.ts';
import type { CopiedColumns, ResultColumn, ResultSource } from './result-source.ts';

/** A batch with the readers of its columns, each created at its first use. */
interface ReadBatch extends RowBatch {
  readonly readers: (ReadRow | undefined)[];
}

/** The source of batches, in their order. */
export function createSource(
  columns: readonly ResultColumn[],
  batches: readonly RowBatch[],
  rowCount: number,
  isComplete: boolean,
): ResultSource {
  const find = createFinder(batches.map((batch) => ({ ...batch, readers: [] })));
  const texts = columns.map(({ valueType }) => createTextReader(valueType));
  const numbers = columns.map(({ valueType }) => createNumberReader(valueType));
  const getValue: ResultSource['getValue'] = (row, column) => {
    const batch = find(row);
    return readerOf(batch, column, columns)(row - batch.start);
  };
  return {
    columns,
    batches,
    rowCount,
    isComplete,
    copyColumns: (wanted) => copyColumns({ columns, batches, rowCount }, wanted),
    getValue,
    getNumber: (row, column) => {
      const value = getValue(row, column);
      return value === null ? null : (numbers[column]?.(value) ?? null);
    },
    getText: (row, column, longest) => {
      const batch = find(row);
      const [batchRow, data] = [row - batch.start, batch.columns[column]];
      if (
        longest !== undefined &&
        data !== undefined &&
        hasValue(data, batchRow) &&
        isText(columns[column]?.valueType)
      ) {
        return readTextStart(data, batchRow, longest).slice(0, longest);
      }
      const value = readerOf(batch, column, columns)(batchRow);
      if (value === null) return null;
      const text = texts[column]?.(value, longest) ?? '';
      return longest === undefined ? text : text.slice(0, longest);
    },
  };
}

function isText(type: ColumnType | undefined): boolean {
  return type?.kind === 'text' || type?.kind === 'json' || type?.kind === 'variant';
}

function readerOf({ columns, readers }: ReadBatch, column: number, types: readonly ResultColumn[]): ReadRow {
  const known = readers[column];
  if (known !== undefined) return known;
  const [type, data] = [types[column]?.valueType, columns[column]];
  if (type === undefined || data === undefined) throw new Error(`the result has no column ${column}`);
  const made = createBatchReader(type, data);
  readers[column] = made;
  return made;
}

/** Finds the batch of a row; neighbours are mostly in the same one. */
export function createFinder<Batch extends RowBatch>(batches: readonly Batch[]): (row: number) => Batch {
  let last = batches[0];
  return (row) => {
    if (last !== undefined && row >= last.start && row < last.end) return last;
    let [low, high] = [0, batches.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (row >= (batches[middle]?.end ?? 0)) low = middle + 1;
      else high = middle;
    }
    last = batches[low];
    if (last === undefined || row < last.start || row >= last.end)
      throw new Error(`the result has no row ${row}`);
    return last;
  };
}

function copyColumns({ batches, ...rest }: CopiedColumns, wanted: readonly number[]): CopiedColumns {
  const copied = batches.map(({ start, end, columns }) => ({
    start,
    end,
    columns: columns.map((column, i) =>
      column === undefined || !wanted.includes(i) ? undefined : copyBatch(column),
    ),
  }));
  return { ...rest, batches: copied };
}

/** Only its own memory: a view would be sent with the memory of all columns. */
function copyBatch({ length, nullCount, validity, values, offsets, children }: BatchData): BatchData {
  return {
    length,
    nullCount,
    validity: validity?.slice(),
    values: values?.slice(),
    offsets: offsets?.slice(),
    children: children?.map(copyBatch),
  };
}
