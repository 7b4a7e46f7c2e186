import type { ColumnValue, Vector } from './column.ts';
import { type BytesVector, type ColumnType, type FixedVector, isValid, type NestedVector } from './column.ts';

export type ReadValue = (row: number) => ColumnValue;

/** Creates a reader of the values of one vector of this type, row by row; NULL is null. */
export function createReader(type: ColumnType, vector: Vector): ReadValue {
  const read = READERS[vector.kind](type, vector as never);
  const { validity } = vector;
  return validity === null ? read : (row) => (isValid(validity, row) ? read(row) : null);
}

const READERS: Readonly<Record<Vector['kind'], (type: ColumnType, vector: never) => ReadValue>> = {
  fixed: createFixedReader,
  bytes: createBytesReader,
  nested:
    (_type, { values }: NestedVector) =>
    (row) =>
      values[row]!,
};

function createBytesReader(type: ColumnType, { bytes, starts, lengths }: BytesVector): ReadValue {
  const from = (row: number) => starts[row]!;
  const to = (row: number) => starts[row]! + lengths[row]!;
  if (type.kind === 'binary' || type.kind === 'geometry') return (row) => bytes.slice(from(row), to(row));
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return (row) => buffer.toString('utf8', from(row), to(row));
}

function createFixedReader(type: ColumnType, { data }: FixedVector): ReadValue {
  switch (type.kind) {
    case 'boolean':
      return (row) => data[row] !== 0;
    case 'integer':
      return readNumbers(INTEGERS[type.signed ? 'signed' : 'unsigned'][type.bits], data);
    case 'hugeint':
      return readHuge(data, true);
    case 'uhugeint':
      return readHuge(data, false);
    case 'decimal':
      return type.precision > 18 ? readHuge(data, true) : readNumbers(findDecimalArray(type.precision), data);
    case 'float':
      return readNumbers(Float32Array, data);
    case 'double':
      return readNumbers(Float64Array, data);
    case 'date':
      return readNumbers(Int32Array, data);
    case 'time':
    case 'timestamp':
      return readNumbers(BigInt64Array, data);
    case 'null':
      return () => null;
    default:
      throw new Error(`${type.kind} values have no fixed width`);
  }
}

type NumberArray = new (
  buffer: ArrayBufferLike,
  offset: number,
  length: number,
) => ArrayLike<number | bigint>;
type Width = { readonly BYTES_PER_ELEMENT: number };

const INTEGERS = {
  signed: { 8: Int8Array, 16: Int16Array, 32: Int32Array, 64: BigInt64Array },
  unsigned: { 8: Uint8Array, 16: Uint16Array, 32: Uint32Array, 64: BigUint64Array },
} as const;

function findDecimalArray(precision: number): NumberArray & Width {
  if (precision <= 4) return Int16Array;
  return precision <= 9 ? Int32Array : BigInt64Array;
}

function readNumbers(array: NumberArray & Width, data: Uint8Array): ReadValue {
  const numbers = new array(data.buffer, data.byteOffset, Math.floor(data.length / array.BYTES_PER_ELEMENT));
  return (row) => numbers[row]!;
}

/** 128-bit integers, low half first. */
function readHuge(data: Uint8Array, signed: boolean): ReadValue {
  const halves = new BigUint64Array(data.buffer, data.byteOffset, data.length >> 3);
  const high = signed ? new BigInt64Array(data.buffer, data.byteOffset, data.length >> 3) : halves;
  return (row) => (high[2 * row + 1]! << 64n) | halves[2 * row]!;
}
