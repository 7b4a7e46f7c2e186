import duckdb from '@duckdb/node-bindings';

import type { ColumnType } from '../../../result/columns/column.ts';
import { DatabaseError } from '../../contract/connection.ts';
import type { Decoder } from './decoder.ts';
import { createDecimalDecoder, createFixedDecoder, nullDecoder } from './fixed.ts';
import {
  createArrayDecoder,
  createListDecoder,
  createMapDecoder,
  createStructDecoder,
  createUnionDecoder,
} from './nested.ts';
import { createStringDecoder } from './strings.ts';
import { createEnumDecoder, createPrintedBytesDecoder, createPrintedDecoder } from './texts.ts';
import { printBignum, printBits, printInterval, printTimeNs, printTimeTz, printUuid } from './value-texts.ts';
import { variantDecoder } from './variant.ts';

type Factory = (logical: duckdb.LogicalType) => Decoder;

const { Type } = duckdb;
const TEXT: ColumnType = { kind: 'text', label: 'STRING' };
const TIME: ColumnType = { kind: 'text', label: 'TIME' };
const JSON_ALIAS = 'JSON';

function fixed(type: ColumnType, width: number): Factory {
  const decoder = createFixedDecoder(type, width);
  return () => decoder;
}

function integer(bits: 8 | 16 | 32 | 64, signed: boolean): Factory {
  return fixed({ kind: 'integer', bits, signed }, bits / 8);
}

function timestamp(unit: 'second' | 'millisecond' | 'microsecond' | 'nanosecond', utc = false): Factory {
  return fixed({ kind: 'timestamp', unit, utc }, 8);
}

/** Types that only exist while a statement is planned, or that the engine does not show to clients. */
const unreadable: Factory = () => {
  throw new DatabaseError('sql', 'Its type cannot be read.');
};

/** A decoder for every type of DuckDB (docs/reference/results.md#types). */
const FACTORIES: Readonly<Record<duckdb.Type, Factory>> = {
  [Type.INVALID]: unreadable,
  [Type.ANY]: unreadable,
  [Type.STRING_LITERAL]: unreadable,
  [Type.INTEGER_LITERAL]: unreadable,
  [Type.SQLNULL]: () => nullDecoder,
  [Type.BOOLEAN]: fixed({ kind: 'boolean' }, 1),
  [Type.TINYINT]: integer(8, true),
  [Type.SMALLINT]: integer(16, true),
  [Type.INTEGER]: integer(32, true),
  [Type.BIGINT]: integer(64, true),
  [Type.UTINYINT]: integer(8, false),
  [Type.USMALLINT]: integer(16, false),
  [Type.UINTEGER]: integer(32, false),
  [Type.UBIGINT]: integer(64, false),
  [Type.HUGEINT]: fixed({ kind: 'hugeint' }, 16),
  [Type.UHUGEINT]: fixed({ kind: 'uhugeint' }, 16),
  [Type.BIGNUM]: () => createPrintedBytesDecoder({ kind: 'text', label: 'INTEGER' }, printBignum),
  [Type.FLOAT]: fixed({ kind: 'float' }, 4),
  [Type.DOUBLE]: fixed({ kind: 'double' }, 8),
  [Type.DECIMAL]: createDecimalDecoder,
  [Type.DATE]: fixed({ kind: 'date' }, 4),
  [Type.TIME]: fixed({ kind: 'time' }, 8),
  [Type.TIME_NS]: () => createPrintedDecoder(TIME, 8, printTimeNs),
  [Type.TIME_TZ]: () => createPrintedDecoder(TIME, 8, printTimeTz),
  [Type.TIMESTAMP_S]: timestamp('second'),
  [Type.TIMESTAMP_MS]: timestamp('millisecond'),
  [Type.TIMESTAMP]: timestamp('microsecond'),
  [Type.TIMESTAMP_NS]: timestamp('nanosecond'),
  [Type.TIMESTAMP_TZ]: timestamp('microsecond', true),
  [Type.INTERVAL]: () => createPrintedDecoder({ kind: 'text', label: 'INTERVAL' }, 16, printInterval),
  [Type.VARCHAR]: (logical) =>
    createStringDecoder(duckdb.logical_type_get_alias(logical) === JSON_ALIAS ? { kind: 'json' } : TEXT),
  [Type.BLOB]: () => createStringDecoder({ kind: 'binary' }),
  [Type.BIT]: () => createPrintedBytesDecoder(TEXT, printBits),
  [Type.UUID]: () => createPrintedDecoder(TEXT, 16, printUuid),
  [Type.ENUM]: createEnumDecoder,
  [Type.GEOMETRY]: () => createStringDecoder({ kind: 'geometry' }),
  [Type.LIST]: (logical) => createListDecoder(createPartDecoder(duckdb.list_type_child_type(logical))),
  [Type.ARRAY]: (logical) =>
    createArrayDecoder(
      createPartDecoder(duckdb.array_type_child_type(logical)),
      duckdb.array_type_array_size(logical),
    ),
  [Type.STRUCT]: (logical) => {
    const count = duckdb.struct_type_child_count(logical);
    return createStructDecoder(
      listOf(count, (i) => duckdb.struct_type_child_name(logical, i)),
      listOf(count, (i) => createPartDecoder(duckdb.struct_type_child_type(logical, i))),
    );
  },
  [Type.MAP]: (logical) =>
    createMapDecoder(
      createPartDecoder(duckdb.map_type_key_type(logical)),
      createPartDecoder(duckdb.map_type_value_type(logical)),
    ),
  [Type.UNION]: (logical) => {
    const count = duckdb.union_type_member_count(logical);
    return createUnionDecoder(
      listOf(count, (i) => duckdb.union_type_member_name(logical, i)),
      listOf(count, (i) => createPartDecoder(duckdb.union_type_member_type(logical, i))),
    );
  },
  [Type.VARIANT]: () => variantDecoder,
};

/** The decoder of a column. Throws a DatabaseError that names the column if its type is unsupported. */
export function createDecoder(logical: duckdb.LogicalType, column: string): Decoder {
  try {
    return createPartDecoder(logical);
  } catch (cause) {
    if (!(cause instanceof DatabaseError)) throw cause;
    const message = `The column "${column}" is of a type that cannot be read; cast it to another one.`;
    throw new DatabaseError('sql', message, undefined, { cause });
  }
}

function createPartDecoder(logical: duckdb.LogicalType): Decoder {
  return (FACTORIES[duckdb.get_type_id(logical)] ?? unreadable)(logical);
}

function listOf<T>(count: number, make: (i: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, i) => make(i));
}
