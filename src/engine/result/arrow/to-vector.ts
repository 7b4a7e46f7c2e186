import type {
  BytesVector,
  ColumnType,
  ColumnValue,
  FixedVector,
  NestedVector,
  Vector,
} from '../columns/column.ts';
import { createNestedText } from '../columns/nested-text.ts';

type KindOf<K extends ColumnType['kind']> = Extract<ColumnType, { readonly kind: K }>;
type ToVector<K extends ColumnType['kind']> = (values: readonly ColumnValue[], type: KindOf<K>) => Vector;
type NumberArray = { from(values: number[]): ArrayBufferView };
type BigIntArray = { from(values: bigint[]): ArrayBufferView };

/** Creates a vector from plain values of this type: the inverse of `createReader`. */
export function toVector(type: ColumnType, values: readonly ColumnValue[]): Vector {
  const make = MAKERS[type.kind] as (values: readonly ColumnValue[], type: ColumnType) => Vector;
  return make(values, type);
}

/** Creates a vector of texts; null is NULL. */
export function toTextVector(texts: readonly (string | null)[]): BytesVector {
  const lengths = Int32Array.from(texts, (text) => Buffer.byteLength(text ?? ''));
  return layOut(texts, lengths, (target, at, text) => target.write(text, at));
}

function toBinaryVector(values: readonly ColumnValue[]): BytesVector {
  const parts = values as readonly (Uint8Array | null)[];
  const lengths = Int32Array.from(parts, (part) => part?.length ?? 0);
  return layOut(parts, lengths, (target, at, part) => target.set(part, at));
}

function layOut<T>(
  values: readonly (T | null)[],
  lengths: Int32Array,
  write: (target: Buffer, at: number, value: T) => void,
): BytesVector {
  const starts = new Int32Array(values.length);
  const bytes = Buffer.allocUnsafeSlow(lengths.reduce((sum, length) => sum + length, 0));
  let end = 0;
  values.forEach((value, row) => {
    starts[row] = end;
    if (value !== null) write(bytes, end, value);
    end += lengths[row]!;
  });
  return { kind: 'bytes', validity: toMask(values), bytes, starts, lengths };
}

function toMask(values: readonly unknown[]): Uint8Array {
  const mask = new Uint8Array((values.length + 7) >> 3);
  values.forEach((value, row) => {
    if (value !== null) mask[row >> 3]! |= 1 << (row & 7);
  });
  return mask;
}

function toFixed(
  values: readonly ColumnValue[],
  { buffer, byteOffset, byteLength }: ArrayBufferView,
): FixedVector {
  const data = new Uint8Array(buffer, byteOffset, byteLength);
  return { kind: 'fixed', validity: toMask(values), data };
}

function toNumbers(array: NumberArray) {
  return (values: readonly ColumnValue[]) =>
    toFixed(values, array.from(values.map((value) => (value ?? 0) as number)));
}

function toBigInts(array: BigIntArray) {
  return (values: readonly ColumnValue[]) =>
    toFixed(values, array.from(values.map((value) => (value ?? 0n) as bigint)));
}

/** 128-bit integers, low half first. */
function toHuge(values: readonly ColumnValue[]): FixedVector {
  const halves = values.flatMap((value) => {
    const bits = (value ?? 0n) as bigint;
    return [bits, bits >> 64n];
  });
  return toFixed(values, BigInt64Array.from(halves));
}

const SIGNED = { 8: Int8Array, 16: Int16Array, 32: Int32Array };
const UNSIGNED = { 8: Uint8Array, 16: Uint16Array, 32: Uint32Array };

const toIntegers: ToVector<'integer'> = (values, { bits, signed }) => {
  if (bits === 64) return toBigInts(signed ? BigInt64Array : BigUint64Array)(values);
  return toNumbers(signed ? SIGNED[bits] : UNSIGNED[bits])(values);
};

const toDecimals: ToVector<'decimal'> = (values, { precision }) => {
  if (precision <= 9) return toNumbers(precision <= 4 ? Int16Array : Int32Array)(values);
  return precision <= 18 ? toBigInts(BigInt64Array)(values) : toHuge(values);
};

function toNested(values: readonly ColumnValue[], type: ColumnType): NestedVector {
  return {
    kind: 'nested',
    validity: toMask(values),
    values,
    get texts() {
      const print = createNestedText(type);
      return values.map((value) => (value === null ? '' : print(value)));
    },
  };
}

const MAKERS: { readonly [K in ColumnType['kind']]: ToVector<K> } = {
  null: (values) => toFixed(values, new Uint8Array(0)),
  boolean: (values) => toFixed(values, Uint8Array.from(values, Number)),
  integer: toIntegers,
  hugeint: toHuge,
  uhugeint: toHuge,
  decimal: toDecimals,
  float: toNumbers(Float32Array),
  double: toNumbers(Float64Array),
  date: toNumbers(Int32Array),
  time: toBigInts(BigInt64Array),
  timestamp: toBigInts(BigInt64Array),
  text: (values) => toTextVector(values as readonly (string | null)[]),
  json: (values) => toTextVector(values as readonly (string | null)[]),
  binary: toBinaryVector,
  geometry: toBinaryVector,
  list: toNested,
  struct: toNested,
  map: toNested,
  union: toNested,
  variant: toNested,
};
