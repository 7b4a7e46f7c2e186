import type duckdb from '@duckdb/node-bindings';

import { quoteName, quoteText } from '../../../text/sql-quote.ts';
import { DatabaseError, type StatementResult } from '../../contract/connection.ts';
import type { Run } from '../../contract/run-inner.ts';
import { UnwritableError } from '../../contract/unwritable.ts';
import { findParquetType, UnprintableTypeError } from './parquet-types.ts';

/** A column of a query as the engine describes it. */
export interface NativeColumn {
  readonly name: string;
  readonly logical: duckdb.LogicalType;
}

/** Describes a query's columns without computing its rows. Rejects with a DatabaseError. */
export type Describe = (query: string, signal: AbortSignal) => Promise<readonly NativeColumn[]>;

/** An export: at most `maxRows` rows of a query, with `options` of COPY. */
interface ParquetJob {
  readonly query: string;
  readonly file: string;
  readonly options: string;
  readonly maxRows: number;
}

/** The SQL around a query with which a Parquet file stores all of its values. */
interface Wrapping {
  readonly before: string;
  readonly after: string;
  /**
   * Converts an error of the statement that starts with `prefix` and this; the error of a too large value names its
   * column.
   */
  explain(error: DatabaseError, prefix: string): DatabaseError;
}

const NOTHING: Wrapping = { before: '', after: '', explain: (error) => error };
const TOO_LARGE = /^Conversion Error: Could not cast value (-?\d+) to DECIMAL\(38,0\)/;

/**
 * Writes rows to a new Parquet file, without loss, or rejects with a DatabaseError whose offset is one in the query.
 */
export async function writeParquet(
  [run, describe]: readonly [Run, Describe],
  { query, file, options, maxRows }: ParquetJob,
  signal: AbortSignal,
): Promise<StatementResult> {
  const [first, last] = Number.isFinite(maxRows) ? ['COPY (FROM (', `) LIMIT ${maxRows}`] : ['COPY (', ''];
  const wrapping = wrapForParquet(await describe(query, signal));
  const before = first + wrapping.before;
  // The line break ends a comment at the end of the query.
  const statement = `${before}${query}\n${wrapping.after}${last}) TO ${quoteText(file)} (${options})`;
  try {
    return await run(statement, signal);
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    throw placeInQuery(wrapping.explain(error, first), query, before.length);
  }
}

/** Converts an error of a statement to one of its query, which starts at `start`. */
export function placeInQuery(error: DatabaseError, query: string, start: number): DatabaseError {
  if (error.offset === undefined) return error;
  const offset = Math.min(Math.max(error.offset - start, 0), query.length);
  return new DatabaseError(error.code, error.message, offset, { cause: error });
}

/**
 * Casts the columns that DuckDB's Parquet writer would store with losses; empty if none need a cast. Throws a
 * DatabaseError for a column that cannot be cast.
 */
function wrapForParquet(columns: readonly NativeColumn[]): Wrapping {
  const types = columns.map(findType);
  if (types.every((type) => type === null)) return NOTHING;
  let before = 'SELECT ';
  const ends: number[] = [];
  for (const [i, type] of types.entries()) {
    const value = type === null ? `c${i}` : `CAST(c${i} AS ${type})`;
    before += `${i === 0 ? '' : ', '}${value} AS ${quoteName(columns[i]!.name)}`;
    ends.push(before.length);
  }
  before += ' FROM (';
  return {
    before,
    after: `) AS q(${columns.map((_, i) => `c${i}`).join(', ')})`,
    explain(error, prefix) {
      const value = TOO_LARGE.exec(error.message)?.[1];
      const at = (error.offset ?? Number.NaN) - prefix.length;
      // After the list of columns, the position is in a cast of the query itself.
      const column = columns[ends.findIndex((end) => at >= 0 && at < end)];
      if (value === undefined || column === undefined) return error;
      const problem = `${value} has more than 38 digits. Cast the column to VARCHAR, or to DOUBLE to round it`;
      return new UnwritableError(column.name, problem, { cause: error });
    },
  };
}

function findType({ name, logical }: NativeColumn): string | null {
  try {
    return findParquetType(logical);
  } catch (cause) {
    if (!(cause instanceof UnprintableTypeError)) throw cause;
    const problem =
      'it has a struct without names whose values would lose digits. Cast it to VARCHAR, or give its fields names with struct_pack';
    throw new UnwritableError(name, problem, { cause });
  }
}
