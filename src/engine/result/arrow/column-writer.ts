import type { Vector } from '../columns/column.ts';
import type { BatchBody } from './batch-body.ts';

/** The column of a writer, and what happens to values that it cannot hold. */
export interface WriterContext {
  readonly column: string;
  /** Called for a value that is outside the range of its Arrow type, before it is written; may throw the error. */
  readonly onRangeError: (error: ArrowLimitError) => void;
}

/** Collects the values of one column, or of a part of a nested column, for a record batch. */
export interface ColumnWriter {
  /** The approximate number of collected bytes. */
  readonly bytes: number;
  /**
   * Finds how many of the rows from `from` to before `to` can be appended at once without exceeding the batch size, and
   * returns their end. An empty batch always accepts at least one row.
   */
  fit(vector: Vector, from: number, to: number): number;
  /** Copies the rows from `from` to before `to`. Throws an ArrowLimitError. */
  append(vector: Vector, from: number, to: number): void;
  /** Lends all values to the body until the next `append`; the writer is then empty. */
  take(body: BatchBody): void;
}

/** Bytes after which a batch is complete; its offsets have 32 bits. */
export const BATCH_BYTES: number = 32 << 20;
/** Width of an offset in bytes. */
export const OFFSET = 4;
export const MAX_OFFSET: number = 2 ** 31 - 1;

/** Rows that are appended at a time if the size of values is unknown; a batch can end between them. */
const STEP = 64;

/** `fit` for writers that know the size only after an append. */
export function fitStep(_vector: Vector, from: number, to: number): number {
  return Math.min(to, from + STEP);
}

/** A value that the Arrow type of its column cannot represent. */
export class ArrowLimitError extends Error {
  constructor(column: string, problem: string) {
    super(`The column "${column}" cannot be written as arrow: ${problem}`);
    this.name = 'ArrowLimitError';
  }
}
