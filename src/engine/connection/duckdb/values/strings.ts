import duckdb from '@duckdb/node-bindings';

import { type BytesVector, type ColumnType, isValid } from '../../../result/columns/column.ts';
import { DatabaseError } from '../../contract/connection.ts';
import type { Decoder, StringRecords } from './decoder.ts';
import { readData, readValidity } from './raw-vector.ts';

/** Bytes of a string record: 4 bytes of length, then up to 12 bytes of content, or 4 of them and a pointer. */
const RECORD = 16;
const INLINE = 12;
/** Strings are contiguous; across gaps smaller than this they are read in one run. */
const GAP = 64;
const MAX_BYTES = 2 ** 31 - 1;

/** Reads the records of rows `from` up to, but not including, `to`. */
export function readRecords(vector: duckdb.Vector, from: number, to: number): StringRecords {
  const rows = to - from;
  const records = readData(vector, RECORD, from, to);
  const words = new Uint32Array(records.buffer, records.byteOffset, rows * 4);
  const validity = readValidity(vector, from, to);
  const lengths = new Int32Array(rows);
  let total = 0;
  for (let row = 0; row < rows; row += 1) {
    if (!isValid(validity, row)) continue;
    const length = words[row * 4]!;
    lengths[row] = length;
    total += length;
  }
  return { records, words, validity, lengths, total };
}

/** Adds each row's length in bytes to `sizes`. */
export function addLengths({ words, validity }: StringRecords, sizes: Float64Array): void {
  for (let row = 0; row < sizes.length; row += 1) {
    if (isValid(validity, row)) sizes[row]! += words[row * 4]!;
  }
}

/** Strings in one range of the engine's memory. */
interface Run {
  /** The first row of the run. */
  readonly first: number;
  readonly length: number;
  /** The position for its bytes. */
  readonly at: number;
}

/**
 * Decodes the strings of some rows. The bytes are the records themselves, which contain the short strings, followed by
 * the long ones, copied run by run.
 */
export function decodeStrings({ records, words, validity, lengths }: StringRecords): BytesVector {
  const rows = lengths.length;
  const starts = new Int32Array(rows);
  const runs: Run[] = [];
  // The current run: its first row, the halves of its address, its length, and the position for its bytes.
  let first = -1;
  let low = 0;
  let high = 0;
  let length = 0;
  let at = rows * RECORD;
  for (let row = 0; row < rows; row += 1) {
    const own = lengths[row]!;
    starts[row] = row * RECORD + 4;
    if (own >= 0 && own <= INLINE) continue;
    const gap = words[row * 4 + 2]! - low + (words[row * 4 + 3]! - high) * 2 ** 32 - length;
    if (first === -1 || gap < 0 || gap >= GAP) {
      if (first !== -1) runs.push({ first, length, at });
      first = row;
      low = words[row * 4 + 2]!;
      high = words[row * 4 + 3]!;
      at += length;
      length = 0;
    } else {
      length += gap;
    }
    starts[row] = at + length;
    length += words[row * 4]!;
  }
  if (first !== -1) runs.push({ first, length, at });
  return { kind: 'bytes', validity, bytes: copyRuns(records, runs, at + length), starts, lengths };
}

function copyRuns(records: Uint8Array, runs: readonly Run[], end: number): Uint8Array {
  if (runs.length === 0) return records;
  if (end > MAX_BYTES) throw new DatabaseError('late', 'A value of more than 2 GiB cannot be read.');
  const bytes = Buffer.allocUnsafeSlow(end);
  bytes.set(records);
  for (const { first, length, at } of runs) {
    const pointer = records.byteOffset + first * RECORD + 8;
    bytes.set(duckdb.get_data_from_pointer(records.buffer as ArrayBuffer, pointer, length), at);
  }
  return bytes;
}

/** Strings and blobs as they are. */
export function createStringDecoder(type: ColumnType): Decoder {
  return {
    type,
    holdsStrings: true,
    decode: (vector, from, to, records = readRecords(vector, from, to)) => decodeStrings(records),
  };
}
