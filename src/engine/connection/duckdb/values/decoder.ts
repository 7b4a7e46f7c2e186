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

/** The string records of some rows, which contain the short strings, and where the strings are. */
export interface StringRecords {
  readonly records: Uint8Array;
  readonly validity: Uint8Array | null;
  /** Each length in bytes, without a sign; 0 for NULL. */
  readonly lengths: Int32Array;
  /** Where each string starts in the records followed by the runs. */
  readonly starts: Int32Array;
  /** Ranges of the engine's memory with the long strings: pairs of the record with its address, and its length. */
  readonly runs: readonly Int32Array[];
  /** The end of the last run, which may exceed 32 bits. */
  readonly end: number;
  /** The sum of the lengths, which may exceed 32 bits. */
  readonly total: number;
  /** What keeps the engine's memory, so that the long strings can be read later. */
  readonly owner?: duckdb.DataChunk;
}
