import type duckdb from '@duckdb/node-bindings';
import type { ColumnType, Vector } from '../../../result/columns/column.ts';

/** How the vectors of one DuckDB type become ours. */
export interface Decoder {
  readonly type: ColumnType;
  /** Whether the vector is one of string records. */
  readonly holdsStrings: boolean;
  /**
   * Decodes rows `from` to before `to`, which the vector must have; `records` are theirs where they have been
   * read already. Throws a DatabaseError.
   */
  readonly decode: (vector: duckdb.Vector, from: number, to: number, records?: StringRecords) => Vector;
}

/** The records of some rows, and each one's length in bytes; NULL has none. */
export interface StringRecords {
  readonly records: Uint8Array;
  readonly words: Uint32Array;
  readonly validity: Uint8Array | null;
  readonly lengths: Int32Array;
  /** The sum of the lengths, which may be beyond 32 bits each. */
  readonly total: number;
}
