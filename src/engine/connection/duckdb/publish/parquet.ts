import duckdb from '@duckdb/node-bindings';
import { quoteName, quoteText } from '../../../text/sql-quote.ts';
import { DatabaseError, type StatementResult } from '../../contract/connection.ts';
import type { Run } from '../../contract/run-inner.ts';
import { UnwritableError } from '../../contract/unwritable.ts';

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

const { Type } = duckdb;
const INTEGER_128 = 'DECIMAL(38, 0)';

/** A type as SQL; `isChanged` if it replaces the original type. */
interface Printed {
  readonly sql: string;
  readonly isChanged: boolean;
}

/**
 * Replacements for types that DuckDB's Parquet writer stores with losses: it converts integers of 128 bits to DOUBLE,
 * and drops the microseconds of an INTERVAL and the time zone of a TIME WITH TIME ZONE.
 */
const LOSSY: { readonly [T in duckdb.Type]?: string } = {
  [Type.HUGEINT]: INTEGER_128,
  [Type.UHUGEINT]: INTEGER_128,
  [Type.INTERVAL]: 'VARCHAR',
  [Type.TIME_TZ]: 'VARCHAR',
};

/** Types whose SQL name differs from the bindings, or that Parquet does not support. */
const NAMES: { readonly [T in duckdb.Type]?: string } = {
  [Type.TIMESTAMP_TZ]: 'TIMESTAMPTZ',
  [Type.ENUM]: 'VARCHAR',
  [Type.SQLNULL]: 'INTEGER',
};

/** A type that cannot be written in SQL: a struct without names that contains a lossy type. */
class UnprintableTypeError extends Error {}

/**
 * The type in which Parquet stores all values of a column without loss; null if no change is needed. Throws an
 * UnprintableTypeError.
 */
function findParquetType(logical: duckdb.LogicalType): string | null {
  const { sql, isChanged } = printType(logical);
  return isChanged ? sql : null;
}

function printType(logical: duckdb.LogicalType): Printed {
  const id = duckdb.get_type_id(logical);
  const print = PRINTERS[id];
  if (print !== undefined) return print(logical);
  const lossless = LOSSY[id];
  return lossless === undefined
    ? { sql: duckdb.logical_type_get_alias(logical) || (NAMES[id] ?? Type[id]!), isChanged: false }
    : { sql: lossless, isChanged: true };
}

/** Printers for types with parts or a width. */
const PRINTERS: { readonly [T in duckdb.Type]?: (logical: duckdb.LogicalType) => Printed } = {
  [Type.DECIMAL]: (logical) => {
    const [width, scale] = [duckdb.decimal_width(logical), duckdb.decimal_scale(logical)];
    return { sql: `DECIMAL(${width}, ${scale})`, isChanged: false };
  },
  [Type.LIST]: (logical) => {
    const { sql, isChanged } = printType(duckdb.list_type_child_type(logical));
    return { sql: `${sql}[]`, isChanged };
  },
  [Type.ARRAY]: (logical) => {
    const { sql, isChanged } = printType(duckdb.array_type_child_type(logical));
    return { sql: `${sql}[${duckdb.array_type_array_size(logical)}]`, isChanged };
  },
  [Type.MAP]: (logical) => {
    const [key, value] = [duckdb.map_type_key_type(logical), duckdb.map_type_value_type(logical)].map(
      printType,
    ) as [Printed, Printed];
    return { sql: `MAP(${key.sql}, ${value.sql})`, isChanged: key.isChanged || value.isChanged };
  },
  [Type.STRUCT]: (logical) =>
    printMembers(
      'STRUCT',
      Array.from({ length: duckdb.struct_type_child_count(logical) }, (_, i) => ({
        name: duckdb.struct_type_child_name(logical, i),
        type: printType(duckdb.struct_type_child_type(logical, i)),
      })),
    ),
  [Type.UNION]: (logical) =>
    printMembers(
      'UNION',
      Array.from({ length: duckdb.union_type_member_count(logical) }, (_, i) => ({
        name: duckdb.union_type_member_name(logical, i),
        type: printType(duckdb.union_type_member_type(logical, i)),
      })),
    ),
};

function printMembers(word: string, members: readonly { name: string; type: Printed }[]): Printed {
  const isChanged = members.some(({ type }) => type.isChanged);
  if (isChanged && members.some(({ name }) => name === '')) throw new UnprintableTypeError();
  const parts = members.map(({ name, type }) => `${quoteName(name)} ${type.sql}`);
  return { sql: `${word}(${parts.join(', ')})`, isChanged };
}
