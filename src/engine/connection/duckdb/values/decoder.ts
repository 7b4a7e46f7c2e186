import type duckdb from '@duckdb/node-bindings';
import type { ColumnType, Vector } from '../../../result/columns/column.ts';

/** Decodes vectors of one DuckDB type. */
export interface Decoder {
  readonly type: ColumnType;
  /** Whether the vector is one of string records. */
  readonly holdsStrings: boolean;
  /**
   * Decodes rows `from` up to, but not including, `to`, which the vector must contain; `records` are their string
   * records, if already read. Throws a DatabaseError.
   */
  readonly decode: (vector: duckdb.Vector, from: number, to: number, records?: StringRecords) => Vector;
}

/** The string records of some rows, with each length in bytes; 0 for NULL. */
export interface StringRecords {
  readonly records: Uint8Array;
  readonly words: Uint32Array;
  readonly validity: Uint8Array | null;
  readonly lengths: Int32Array;
  /** The sum of the lengths, which may exceed 32 bits. */
  readonly total: number;
}
