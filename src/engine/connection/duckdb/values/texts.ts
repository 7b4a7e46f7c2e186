import duckdb from '@duckdb/node-bindings';

import { type BytesVector, type ColumnType, isValid } from '../../../result/columns/column.ts';
import type { Decoder } from './decoder.ts';
import { readData, readValidity } from './raw-vector.ts';
import { decodeStrings, readRecords } from './strings.ts';

/** Prints the value at `at`, in ASCII. */
export type PrintValue = (view: DataView, at: number) => string;

/** Prints the bytes of one value, in ASCII. */
export type PrintBytes = (bytes: Uint8Array) => string;

/** Values of `width` bytes that are returned as text. */
export function createPrintedDecoder(type: ColumnType, width: number, print: PrintValue): Decoder {
  return {
    type,
    holdsStrings: false,
    decode(vector, from, to) {
      const data = readData(vector, width, from, to);
      const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
      return toBytesVector(to - from, readValidity(vector, from, to), (row) => print(view, row * width));
    },
  };
}

/** Values of any length, stored like strings, that are returned as text. */
export function createPrintedBytesDecoder(type: ColumnType, print: PrintBytes): Decoder {
  return {
    type,
    holdsStrings: true,
    decode(vector, from, to, records = readRecords(vector, from, to)) {
      const { validity, bytes, starts, lengths } = decodeStrings(records);
      return toBytesVector(to - from, validity, (row) =>
        print(bytes.subarray(starts[row]!, starts[row]! + lengths[row]!)),
      );
    },
  };
}

/** An ENUM as the strings of its dictionary; a vector contains the index of each row's string. */
export function createEnumDecoder(logical: duckdb.LogicalType): Decoder {
  const width = ENUM_WIDTHS.get(duckdb.enum_internal_type(logical))!;
  const size = duckdb.enum_dictionary_size(logical);
  const texts = Array.from({ length: size }, (_, i) => Buffer.from(duckdb.enum_dictionary_value(logical, i)));
  const bytes = Buffer.concat(texts);
  const ends = new Int32Array(size);
  texts.reduce((end, text, i) => (ends[i] = end + text.length), 0);
  return {
    type: { kind: 'text', label: 'STRING' },
    holdsStrings: false,
    decode(vector, from, to) {
      const rows = to - from;
      const indexes = Buffer.from(readData(vector, width, from, to));
      const validity = readValidity(vector, from, to);
      const starts = new Int32Array(rows);
      const lengths = new Int32Array(rows);
      for (let row = 0; row < rows; row += 1) {
        if (!isValid(validity, row)) continue;
        const index = indexes.readUIntLE(row * width, width);
        lengths[row] = texts[index]!.length;
        starts[row] = ends[index]! - lengths[row]!;
      }
      return { kind: 'bytes', validity, bytes, starts, lengths };
    },
  };
}

const ENUM_WIDTHS: ReadonlyMap<duckdb.Type, number> = new Map([
  [duckdb.Type.UTINYINT, 1],
  [duckdb.Type.USMALLINT, 2],
  [duckdb.Type.UINTEGER, 4],
]);

function toBytesVector(
  rows: number,
  validity: Uint8Array | null,
  print: (row: number) => string,
): BytesVector {
  const texts = Array.from({ length: rows }, (_, row) => (isValid(validity, row) ? print(row) : ''));
  const starts = new Int32Array(rows);
  const lengths = Int32Array.from(texts, (text) => text.length);
  for (let row = 1; row < rows; row += 1) starts[row] = starts[row - 1]! + lengths[row - 1]!;
  return { kind: 'bytes', validity, bytes: Buffer.from(texts.join(''), 'latin1'), starts, lengths };
}
