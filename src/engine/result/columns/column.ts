// Results are columns. A driver fills typed vectors with the bytes of the database, and an encoder reads them for
// JSON, CSV, Arrow or Parquet. No value becomes a JavaScript object between the two, so that a number keeps all its
// digits and a million rows stay fast. A new type needs an entry here, in each driver that has it, and in each
// encoder.

/**
 * The type of a column, independent of the engine; each driver maps all its types to these. Every encoder has one entry
 * for each `kind`.
 */
export type ColumnType =
  | { readonly kind: 'boolean' | 'hugeint' | 'uhugeint' | 'float' | 'double' | 'date' | 'time' | 'null' }
  | { readonly kind: 'integer'; readonly bits: 8 | 16 | 32 | 64; readonly signed: boolean }
  | { readonly kind: 'decimal'; readonly precision: number; readonly scale: number }
  | { readonly kind: 'timestamp'; readonly unit: TimeUnit; readonly utc: boolean }
  /**
   * Text as the engine prints it: `label` is the name of its type (docs/reference/results.md#types). An `INTEGER` can
   * have any length, a `DECIMAL` any length and scale, or be `NaN`, `Infinity`, `-Infinity`.
   */
  | { readonly kind: 'text'; readonly label: 'STRING' | 'INTERVAL' | 'TIME' | 'INTEGER' | 'DECIMAL' }
  /** `geometry` is well-known binary, little-endian. */
  | { readonly kind: 'binary' | 'geometry' }
  /**
   * `label` is the name of the type (docs/reference/results.md#types) for JSON that stands for nested values; default:
   * JSON.
   */
  | { readonly kind: 'json'; readonly label?: 'ARRAY' | 'STRUCT' | 'MAP' }
  | { readonly kind: 'list'; readonly element: ColumnType; readonly size?: number }
  | { readonly kind: 'struct'; readonly fields: readonly NamedType[] }
  | { readonly kind: 'map'; readonly key: ColumnType; readonly value: ColumnType }
  | { readonly kind: 'union'; readonly members: readonly NamedType[] }
  /** Each value has its own type. */
  | { readonly kind: 'variant' };

export type TimeUnit = 'second' | 'millisecond' | 'microsecond' | 'nanosecond';

/** A column, a field of a struct, or a member of a union. */
export interface NamedType {
  readonly name: string;
  readonly type: ColumnType;
}

/** A column of a result set; names can repeat (docs/reference/results.md#documents). */
export type Column = NamedType;

/**
 * The values of one column in one chunk. `validity` has one bit for each row, least significant first, 1 for a value;
 * `null` if no row is NULL. The data of a NULL row is undefined. A vector can have more rows than its chunk; ignore
 * them.
 */
export type Vector = FixedVector | BytesVector | NestedVector;

/**
 * Little-endian values of one width, without gaps: boolean 1 byte; integer its bits; hugeint, uhugeint 16;
 * decimal 2, 4, 8 or 16 bytes by precision (4, 9, 18, 38 digits), unscaled; float 4; double 8; date 4 (days
 * since 1970-01-01); time 8 (microseconds); timestamp 8 (its unit since 1970-01-01 UTC); null 0. The largest
 * value of a date or timestamp is infinity, its negative minus infinity. `data` starts at a multiple of 8
 * bytes, or of its width if that is less.
 */
export interface FixedVector {
  readonly kind: 'fixed';
  readonly validity: Uint8Array | null;
  readonly data: Uint8Array;
}

/**
 * UTF-8 text (text, json) or raw bytes (binary, geometry): row `i` is `bytes[starts[i] .. starts[i] + lengths[i]]`.
 * `total` is the sum of the lengths, where that is known; the length of a NULL row is then 0.
 */
export interface BytesVector {
  readonly kind: 'bytes';
  readonly validity: Uint8Array | null;
  readonly bytes: Uint8Array;
  readonly starts: Int32Array;
  readonly lengths: Int32Array;
  readonly total?: number;
  readonly parts?: BytesParts;
}

/** The `bytes` of a vector where the engine has them, for a writer that copies them: joining them first is unnecessary. */
export interface BytesParts {
  /** The length of all bytes. */
  readonly length: number;
  /** Whether the engine has the values in order and without gaps, so that they can be copied alone. */
  readonly isDense: boolean;
  /** Copies all bytes to position `at` of the target. */
  copy(target: Uint8Array, at: number): void;
  /** Copies the values of all rows, if they are dense, to position `at` of the target. */
  copyValues(target: Uint8Array, at: number): void;
}

/**
 * Rare types, value by value (list, struct, map, union, variant): plain values, and the engine's text for CSV. Each
 * array is created at its first access; a NULL row is `null` in `values` and `''` in `texts`.
 */
export interface NestedVector {
  readonly kind: 'nested';
  readonly validity: Uint8Array | null;
  readonly values: readonly ColumnValue[];
  readonly texts: readonly string[];
}

/**
 * One value, after its column type: integer and unscaled decimal number up to 32 bits and else bigint, float
 * and double number, date number of days, time and timestamp bigint in their unit, text and json string,
 * binary and geometry bytes, list array, struct array in field order, map array of pairs, union `{ member, value }`,
 * variant `{ type, value }`.
 */
export type ColumnValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | readonly ColumnValue[]
  | { readonly member: number; readonly value: ColumnValue }
  | { readonly type: ColumnType; readonly value: ColumnValue };

/** Some rows of a result set; at least one. `vector(i)` decodes column `i` at its first access. */
export interface Chunk {
  readonly rows: number;
  vector(column: number): Vector;
}

/** Whether `row` has a value, and is not NULL. */
export function isValid(validity: Uint8Array | null, row: number): boolean {
  return validity === null || (validity[row >> 3]! & (1 << (row & 7))) !== 0;
}
