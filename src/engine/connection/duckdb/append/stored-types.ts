import { isAscii, isUtf8 } from 'node:buffer';
import duckdb from '@duckdb/node-bindings';

import { toTextVector, toVector } from '../../../result/arrow/to-vector.ts';
import {
  type BytesVector,
  type ColumnType,
  type ColumnValue,
  type FixedVector,
  isValid,
  type NamedType,
  type NestedVector,
  type Vector,
} from '../../../result/columns/column.ts';
import { createPlainText } from '../../../result/columns/plain-text.ts';
import { createReader } from '../../../result/columns/read-value.ts';
import { quoteName } from '../../../text/sql-quote.ts';
import { UnwritableError } from '../../contract/unwritable.ts';
import { findDecimalWidth } from '../values/fixed.ts';

/** How DuckDB stores the values of a column. */
export interface StoredType {
  /** The type as SQL. */
  readonly sql: string;
  /** Copies rows to the start of an empty vector of this type; returns its bytes. Throws an UnwritableError. */
  readonly fill: (target: duckdb.Vector, source: Vector, rows: RowRange) => number;
}

/** Rows from `from`, which is a multiple of 8, to before `to`. */
interface RowRange {
  readonly from: number;
  readonly to: number;
}

type KindOf<K extends ColumnType['kind']> = Extract<ColumnType, { readonly kind: K }>;
type Create<K extends ColumnType['kind']> = (type: KindOf<K>, column: string) => StoredType;

/** Bytes of a text or a list in a vector, without its content. */
const ENTRY = 16;
const NANOSECONDS = 1000n;
/** Bytes of a value that an error shows. */
const MAX_SHOWN = 60;

/** The type of DuckDB with all values of a column, whose name errors have. Throws an UnwritableError. */
export function createStoredType(type: ColumnType, column: string): StoredType {
  const create = STORED[type.kind] as (type: ColumnType, column: string) => StoredType;
  return create(type, column);
}

/** As `createStoredType`, for a file of text: values whose text DuckDB does not print as results have it are text. */
export function createPrintedType(type: ColumnType, column: string): StoredType {
  if (type.kind === 'list' || type.kind === 'struct' || type.kind === 'map') return printedType;
  const isFine = type.kind === 'timestamp' && type.unit === 'nanosecond';
  return isFine ? createPrintedTimes(type) : createStoredType(type, column);
}

function createPrintedTimes(type: KindOf<'timestamp'>): StoredType {
  const print = createPlainText(type);
  return createTextType((source, { from, to }) => {
    const read = createReader(type, source);
    return listRows(from, to, (row) => {
      const value = read(row);
      return value === null ? null : print(value);
    });
  });
}

/** The texts of nested values. */
const printedType = createTextType((source, { from, to }) => {
  const { validity, texts } = source as NestedVector;
  return listRows(from, to, (row) => (isValid(validity, row) ? texts[row]! : null));
});

function createTextType(read: (source: Vector, rows: RowRange) => readonly (string | null)[]): StoredType {
  return {
    sql: 'VARCHAR',
    fill: (target, source, rows) => {
      const texts = read(source, rows);
      return fillBytes(target, toTextVector(texts), { from: 0, to: texts.length });
    },
  };
}

function listRows<T>(from: number, to: number, read: (row: number) => T): T[] {
  return Array.from({ length: to - from }, (_, i) => read(from + i));
}

function fillValidity(target: duckdb.Vector, validity: Uint8Array | null, { from, to }: RowRange): void {
  if (validity === null) return;
  const { buffer, byteOffset } = validity.slice(from >> 3, (to + 7) >> 3);
  duckdb.vector_ensure_validity_writable(target);
  duckdb.copy_data_to_vector_validity(target, 0, buffer, byteOffset, (to - from + 7) >> 3);
}

/** Values with the same bytes in both vectors. */
function fixed(sql: string, width: number): StoredType {
  return {
    sql,
    fill(target, source, rows) {
      const { data, validity } = source as FixedVector;
      fillValidity(target, validity, rows);
      const bytes = data.slice(rows.from * width, rows.to * width);
      duckdb.copy_data_to_vector(target, 0, bytes.buffer, bytes.byteOffset, bytes.length);
      return bytes.length;
    },
  };
}

function fillBytes(target: duckdb.Vector, source: Vector, rows: RowRange): number {
  const { bytes, lengths, starts, validity } = source as BytesVector;
  fillValidity(target, validity, rows);
  let size = 0;
  for (let row = rows.from; row < rows.to; row += 1) {
    size += ENTRY;
    if (!isValid(validity, row)) continue;
    size += lengths[row]!;
    const value = bytes.subarray(starts[row]!, starts[row]! + lengths[row]!);
    duckdb.vector_assign_string_element_len(target, row - rows.from, value);
  }
  return size;
}

const bytes = (sql: string): StoredType => ({ sql, fill: fillBytes });

/** Texts; DuckDB takes invalid ones without an error. */
const createTexts = (sql: string, column: string): StoredType => ({
  sql,
  fill(target, source, rows) {
    checkTexts(source as BytesVector, rows, column);
    return fillBytes(target, source, rows);
  },
});

function checkTexts(source: BytesVector, rows: RowRange, column: string): void {
  const { bytes: all, lengths, starts, validity } = source;
  if (isAllAscii(source, rows)) return;
  for (let row = rows.from; row < rows.to; row += 1) {
    const text = all.subarray(starts[row]!, starts[row]! + lengths[row]!);
    if (!isValid(validity, row) || isUtf8(text)) continue;
    const excerpt = Buffer.from(text).toString('utf8', 0, MAX_SHOWN);
    const problem = `\`${excerpt}\` is not valid UTF-8. Cast the column to bytes`;
    throw new UnwritableError(column, problem, { form: 'text' });
  }
}

/** Whether the texts, and what is between them, are ASCII: one call is faster than one for each text. */
function isAllAscii({ bytes: all, lengths, starts, validity }: BytesVector, { from, to }: RowRange): boolean {
  let [start, end] = [all.length, 0];
  for (let row = from; row < to; row += 1) {
    if (!isValid(validity, row)) continue;
    start = Math.min(start, starts[row]!);
    end = Math.max(end, starts[row]! + lengths[row]!);
  }
  return isAscii(all.subarray(Math.min(start, end), end));
}

/** Fills a part of nested values. */
function fillPart(
  target: duckdb.Vector,
  [type, storedType]: readonly [ColumnType, StoredType],
  values: readonly ColumnValue[],
): number {
  return storedType.fill(target, toVector(type, values), { from: 0, to: values.length });
}

/** A list, or a map as a list of pairs. */
function createLists(sql: string, element: ColumnType, storedType: StoredType): StoredType {
  return {
    sql,
    fill(target, source, rows) {
      const { validity, values } = source as NestedVector;
      fillValidity(target, validity, rows);
      const lists = values.slice(rows.from, rows.to) as (readonly ColumnValue[] | null)[];
      const entries = new BigUint64Array(lists.length * 2);
      let count = 0;
      lists.forEach((list, row) => {
        entries[row * 2] = BigInt(count);
        entries[row * 2 + 1] = BigInt(list?.length ?? 0);
        count += list?.length ?? 0;
      });
      duckdb.copy_data_to_vector(target, 0, entries.buffer, 0, entries.byteLength);
      duckdb.list_vector_reserve(target, count);
      duckdb.list_vector_set_size(target, count);
      const elements = lists.flatMap((list) => list ?? []);
      return (
        entries.byteLength + fillPart(duckdb.list_vector_get_child(target), [element, storedType], elements)
      );
    },
  };
}

const createStruct = (fields: readonly NamedType[], column: string): StoredType => {
  const parts = fields.map(({ type }) => [type, createStoredType(type, column)] as const);
  const names = fields.map(({ name }) => name);
  checkNames(names, column);
  return {
    sql: `STRUCT(${parts.map(([, { sql }], i) => `${quoteName(names[i]!)} ${sql}`).join(', ')})`,
    fill(target, source, rows) {
      const { validity, values } = source as NestedVector;
      fillValidity(target, validity, rows);
      const structs = values.slice(rows.from, rows.to) as (readonly ColumnValue[] | null)[];
      return parts.reduce((size, part, i) => {
        const fieldValues = structs.map((struct) => struct?.[i] ?? null);
        return size + fillPart(duckdb.struct_vector_get_child(target, i), part, fieldValues);
      }, 0);
    },
  };
};

function checkNames(names: readonly string[], column: string): void {
  const isUnnamed = names.includes('');
  if (!isUnnamed && new Set(names.map((name) => name.toLowerCase())).size === names.length) return;
  const problem = isUnnamed ? 'fields without names' : 'fields whose names differ only in case';
  const advice = 'Name its fields with a CAST, or cast it to JSON';
  throw new UnwritableError(column, `it has a struct with ${problem}. ${advice}`);
}

/** Instants in nanoseconds, which have microseconds in DuckDB. */
function createFineInstants(type: KindOf<'timestamp'>, column: string): StoredType {
  const print = createPlainText(type);
  const { sql, fill } = fixed('TIMESTAMPTZ', 8);
  return {
    sql,
    fill(target, source, { from, to }) {
      const read = createReader(type, source);
      const values = listRows(from, to, (row) => {
        const value = read(row) as bigint | null;
        if (value === null || value % NANOSECONDS === 0n) return value === null ? null : value / NANOSECONDS;
        const advice = 'Cast it to VARCHAR, or to TIMESTAMP(6) WITH TIME ZONE to round it';
        throw new UnwritableError(
          column,
          `\`${print(value)}\` has more than 6 digits of a second. ${advice}`,
        );
      });
      const rows = { from: 0, to: values.length };
      return fill(target, toVector({ ...type, unit: 'microsecond' }, values), rows);
    },
  };
}

const INTEGERS = { 8: 'TINYINT', 16: 'SMALLINT', 32: 'INTEGER', 64: 'BIGINT' } as const;
const STAMPS = {
  second: 'TIMESTAMP_S',
  millisecond: 'TIMESTAMP_MS',
  microsecond: 'TIMESTAMP',
  nanosecond: 'TIMESTAMP_NS',
} as const;

const createTimestamp: Create<'timestamp'> = (type, column) => {
  if (type.utc && type.unit === 'nanosecond') return createFineInstants(type, column);
  return fixed(type.utc ? 'TIMESTAMPTZ' : STAMPS[type.unit], 8);
};

const createMap: Create<'map'> = ({ key, value }, column) => {
  const fields = [
    { name: 'key', type: key },
    { name: 'value', type: value },
  ];
  const [keys, values] = [createStoredType(key, column), createStoredType(value, column)];
  const pair: ColumnType = { kind: 'struct', fields };
  return createLists(`MAP(${keys.sql}, ${values.sql})`, pair, createStruct(fields, column));
};

/** The type of DuckDB for each type of a column. */
const STORED: { readonly [K in ColumnType['kind']]: Create<K> } = {
  null: () => createTextType((_, { from, to }) => listRows(from, to, () => null)),
  boolean: () => fixed('BOOLEAN', 1),
  integer: ({ bits, signed }) => fixed(`${signed ? '' : 'U'}${INTEGERS[bits]}`, bits / 8),
  hugeint: () => fixed('HUGEINT', 16),
  uhugeint: () => fixed('UHUGEINT', 16),
  decimal: ({ precision, scale }) => fixed(`DECIMAL(${precision}, ${scale})`, findDecimalWidth(precision)),
  float: () => fixed('FLOAT', 4),
  double: () => fixed('DOUBLE', 8),
  date: () => fixed('DATE', 4),
  time: () => fixed('TIME', 8),
  timestamp: createTimestamp,
  text: (_, column) => createTexts('VARCHAR', column),
  json: (_, column) => createTexts('JSON', column),
  binary: () => bytes('BLOB'),
  geometry: () => bytes('GEOMETRY'),
  list: ({ element }, column) => {
    const storedType = createStoredType(element, column);
    return createLists(`${storedType.sql}[]`, element, storedType);
  },
  struct: ({ fields }, column) => createStruct(fields, column),
  map: createMap,
  union: () => printedType,
  variant: () => printedType,
};
