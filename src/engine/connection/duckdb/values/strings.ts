import duckdb from '@duckdb/node-bindings';

import type { BytesVector, ColumnType } from '../../../result/columns/column.ts';
import { DatabaseError } from '../../contract/connection.ts';
import type { Decoder, StringRecords } from './decoder.ts';
import { readData, readValidity } from './raw-vector.ts';
import { loadStringReader, RECORD } from './string-reader.ts';

const MAX_BYTES = 2 ** 31 - 1;

/** Reads the records of rows `from` up to, but not including, `to`. */
export function readRecords(vector: duckdb.Vector, from: number, to: number): StringRecords {
  return loadStringReader().read(readData(vector, RECORD, from, to), readValidity(vector, from, to));
}

/** Adds each row's length in bytes to `sizes`. */
export function addLengths({ lengths }: StringRecords, sizes: Float64Array): void {
  for (let row = 0; row < sizes.length; row += 1) sizes[row]! += lengths[row]! >>> 0;
}

/**
 * Decodes the strings of some rows. The bytes are the records themselves, which contain the short strings, followed by
 * the long ones, copied run by run.
 */
export function decodeStrings(read: StringRecords): BytesVector {
  const { validity, starts, lengths, total } = read;
  return { kind: 'bytes', validity, bytes: copyRuns(read), starts, lengths, total };
}

function copyRuns({ records, runs, end }: StringRecords): Uint8Array {
  if (runs.length === 0) return records;
  if (end > MAX_BYTES) throw new DatabaseError('late', 'A value of more than 2 GiB cannot be read.');
  const bytes = Buffer.allocUnsafeSlow(end);
  bytes.set(records);
  let at = records.length;
  for (const pairs of runs) {
    for (let i = 0; i < pairs.length; i += 2) {
      const [first, length] = [pairs[i]!, pairs[i + 1]!];
      const pointer = records.byteOffset + first * RECORD + 8;
      bytes.set(duckdb.get_data_from_pointer(records.buffer as ArrayBuffer, pointer, length), at);
      at += length;
    }
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
