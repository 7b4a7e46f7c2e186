import type { ColumnType, ColumnValue } from '../../../../src/engine/result/columns/column.ts';

type Numbers = ArrayLike<number | bigint> & {
  readonly buffer: ArrayBufferLike;
  readonly byteOffset: number;
  readonly byteLength: number;
  slice(): Numbers;
};

/** The values of a column in one record batch, as Arrow stores them; a batch of the decoder, or a copy of its memory. */
export interface BatchData {
  readonly length: number;
  readonly nullCount: number;
  /** One bit for each row, least significant first, 1 for a value; can be missing if no row is NULL. */
  readonly validity?: Uint8Array | undefined;
  readonly values?: Numbers | undefined;
  readonly offsets?: Numbers | undefined;
  readonly children?: readonly BatchData[] | undefined;
}

/** The rows of one record batch. */
export interface RowBatch {
  /** The first row, among the rows of the result. */
  readonly start: number;
  readonly end: number;
  /** By column; a copy for a computation has only those that it needs. */
  readonly columns: readonly (BatchData | undefined)[];
}

/** Whether a row has a value, and is not NULL. */
export function hasValue({ nullCount, validity }: BatchData, row: number): boolean {
  return nullCount === 0 || validity === undefined || isSet(validity, row);
}

function isSet(bits: ArrayLike<number | bigint>, row: number): boolean {
  return ((Number(bits[row >> 3]) >> (row & 7)) & 1) === 1;
}

/** Reads the value of a row of one batch; NULL is null. */
export type ReadRow = (row: number) => ColumnValue;

const NONE = new Uint8Array(0);

function valuesOf({ values = NONE }: BatchData): Numbers {
  return values;
}

// Otherwise, a text would lose a byte order mark at its start.
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Creates a reader of the values of a batch, whose values have this type. */
export function createBatchReader(type: ColumnType, batch: BatchData): ReadRow {
  const read = createReader(type, batch);
  if (type.kind === 'null') return () => null;
  return batch.nullCount === 0 ? read : (row) => (hasValue(batch, row) ? read(row) : null);
}

function createReader(type: ColumnType, batch: BatchData): ReadRow {
  switch (type.kind) {
    case 'boolean':
      return (row) => isSet(valuesOf(batch), row);
    case 'decimal':
      return createDecimalReader(type.precision, batch);
    case 'text':
    case 'json':
      return (row) => utf8.decode(readBytes(batch, row));
    case 'variant':
      return (row) => ({
        type: { kind: 'text', label: 'STRING' },
        value: utf8.decode(readBytes(batch, row)),
      });
    case 'binary':
    case 'geometry':
      return (row) => readBytes(batch, row);
    case 'list':
    case 'map':
    case 'struct':
      return createNestedReader(type, batch);
    default: {
      const values = valuesOf(batch);
      return (row) => values[row] ?? 0;
    }
  }
}

/** The text of a row, or at least its first `longest` UTF-16 units; the row is not NULL. */
export function readTextStart(batch: BatchData, row: number, longest: number): string {
  const bytes = readBytes(batch, row);
  // A UTF-16 unit is at most three bytes of UTF-8.
  return utf8.decode(bytes.length > longest * 4 ? bytes.subarray(0, longest * 4) : bytes);
}

function readBytes(batch: BatchData, row: number): Uint8Array {
  const { values = NONE, offsets = NONE } = batch;
  const [start, end] = [Number(offsets[row]), Number(offsets[row + 1])];
  return new Uint8Array(values.buffer, values.byteOffset + start, end - start);
}

/** 128-bit integers, low half first. */
function createDecimalReader(precision: number, batch: BatchData): ReadRow {
  const values = valuesOf(batch);
  const low = new BigUint64Array(values.buffer, values.byteOffset, values.byteLength >> 3);
  const high = new BigInt64Array(values.buffer, values.byteOffset, values.byteLength >> 3);
  // The low half contains all digits.
  if (precision <= 9) return (row) => Number(high[2 * row]);
  if (precision <= 18) return (row) => high[2 * row] ?? 0n;
  return (row) => ((high[2 * row + 1] ?? 0n) << 64n) | (low[2 * row] ?? 0n);
}

type NestedType = Extract<ColumnType, { readonly kind: 'list' | 'map' | 'struct' }>;

function createNestedReader(type: NestedType, batch: BatchData): ReadRow {
  const { children = [] } = batch;
  const [first, ...others] = children;
  if (type.kind === 'struct') {
    const readers = type.fields.map((field, i) => createBatchReader(field.type, childAt(children, i)));
    return (row) => readers.map((read) => read(row));
  }
  if (first === undefined || others.length > 0) throw new Error('a list has one child');
  if (type.kind === 'list') {
    const read = createBatchReader(type.element, first);
    const { size } = type;
    if (size !== undefined) return (row) => Array.from({ length: size }, (_, i) => read(row * size + i));
    return (row) => readStretch(batch, row, read);
  }
  const key = createBatchReader(type.key, childAt(first.children ?? [], 0));
  const value = createBatchReader(type.value, childAt(first.children ?? [], 1));
  return (row) => readStretch(batch, row, (at) => [key(at), value(at)]);
}

function readStretch({ offsets = NONE }: BatchData, row: number, read: ReadRow): ColumnValue[] {
  const start = Number(offsets[row]);
  return Array.from({ length: Number(offsets[row + 1]) - start }, (_, i) => read(start + i));
}

function childAt(children: readonly BatchData[], at: number): BatchData {
  const child = children[at];
  if (child === undefined) throw new Error('a nested Arrow value without its parts');
  return child;
}
