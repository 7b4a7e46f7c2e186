import type duckdb from '@duckdb/node-bindings';
import type { ColumnType, Vector } from '../../../result/columns/column.ts';
import type { StringRecords } from './string-records.ts';

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
