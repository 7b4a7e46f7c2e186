import duckdb from '@duckdb/node-bindings';

import { quoteName } from '../../../text/sql-quote.ts';

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
export class UnprintableTypeError extends Error {}

/**
 * The type in which Parquet stores all values of a column without loss; null if no change is needed. Throws an
 * UnprintableTypeError.
 */
export function findParquetType(logical: duckdb.LogicalType): string | null {
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
