import type { Vector } from '../columns/column.ts';
import type { BatchBody } from './batch-body.ts';

/** Gathers the values of one column, or of a part of a nested one, for a record batch. */
export interface ColumnWriter {
  /** How many bytes have been gathered, roughly. */
  readonly bytes: number;
  /**
   * Of the rows `from` to before `to` of a vector, as many as may be appended at once without the batch growing
   * too large: where they end. In an empty batch at least one row may.
   */
  fit(vector: Vector, from: number, to: number): number;
  /** Copies the rows `from` to before `to`. Throws an ArrowLimitError. */
  append(vector: Vector, from: number, to: number): void;
  /** Hands everything over and begins anew. */
  take(body: BatchBody): void;
}

/** A batch of so many bytes is large enough; its offsets have 32 bits. */
export const BATCH_BYTES: number = 32 << 20;
/** Width of an offset in bytes. */
export const OFFSET = 4;
export const MAX_OFFSET: number = 2 ** 31 - 1;

/** Values of unknown size are appended a few rows at a time, between which a batch may be cut. */
const STEP = 64;

/** `fit` where only what has been appended tells how large it is. */
export function fitStep(_vector: Vector, from: number, to: number): number {
  return Math.min(to, from + STEP);
}

/** A value that Arrow cannot hold in the type that its column has there. */
export class ArrowLimitError extends Error {
  constructor(column: string, problem: string) {
    super(`The column "${column}" cannot be written as arrow: ${problem}`);
    this.name = 'ArrowLimitError';
  }
}
