import type { ColumnType, ColumnValue } from '../../../../src/engine/result/columns/column.ts';
import type { TypeName } from '../../../../src/engine/result/columns/type-names.ts';
import type { RowBatch } from './batch-values.ts';

/** A column of a result; names can be empty, and can repeat. */
export interface ResultColumn {
  readonly name: string;
  /** The name of the type that people see (docs/reference/results.md). */
  readonly type: TypeName;
  /** The representation of the values (`Value`). */
  readonly valueType: ColumnType;
}

/** Some columns of a source as plain data, which can be sent to a worker. */
export interface CopiedColumns {
  readonly columns: readonly ResultColumn[];
  readonly batches: readonly RowBatch[];
  readonly rowCount: number;
}

/**
 * The rows of a result that the browser has, at one moment: it never changes. While a statement runs, later sources have
 * more rows. Rows and columns are counted from 0.
 */
export interface ResultSource {
  readonly columns: readonly ResultColumn[];
  /** The rows as Arrow has them, for computations. */
  readonly batches: readonly RowBatch[];
  readonly rowCount: number;
  /** Whether these are all rows of the result. */
  readonly isComplete: boolean;
  /** A copy of the memory of some columns, for a computation in a worker. */
  copyColumns(wanted: readonly number[]): CopiedColumns;
  /** The exact value, in the representation of `valueType`; NULL is null. */
  getValue(row: number, column: number): ColumnValue;
  /** The text of a value as CSV has it, or only its first `longest` UTF-16 units; NULL is null. */
  getText(row: number, column: number, longest?: number): string | null;
  /**
   * The nearest double, for charts: dates and timestamps are milliseconds since 1970-01-01 UTC, times are milliseconds
   * since midnight. Null for NULL, infinite dates, and values that are neither numbers nor times.
   */
  getNumber(row: number, column: number): number | null;
}
