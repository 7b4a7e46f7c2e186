import duckdb from '@duckdb/node-bindings';

import type { BytesParts, BytesVector, ColumnType } from '../../../result/columns/column.ts';
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
 * the long ones, copied run by run, at the first access if the engine's memory remains.
 */
export function decodeStrings(stringRecords: StringRecords): BytesVector {
  if (stringRecords.end > MAX_BYTES)
    throw new DatabaseError('late', 'A value of more than 2 GiB cannot be read.');
  const { validity, starts, lengths, total } = stringRecords;
  const strings = new Strings(stringRecords);
  if (stringRecords.owner !== undefined) return strings;
  return { kind: 'bytes', validity, bytes: strings.bytes, starts, lengths, total };
}

/** Strings in the engine's memory, which `owner` keeps. */
class Strings implements BytesVector, BytesParts {
  readonly kind = 'bytes';
  readonly validity: Uint8Array | null;
  readonly starts: Int32Array;
  readonly lengths: Int32Array;
  readonly total: number;
  readonly #stringRecords: StringRecords;
  #bytes: Uint8Array | null = null;

  constructor(stringRecords: StringRecords) {
    this.validity = stringRecords.validity;
    this.starts = stringRecords.starts;
    this.lengths = stringRecords.lengths;
    this.total = stringRecords.total;
    this.#stringRecords = stringRecords;
  }

  get bytes(): Uint8Array {
    this.#bytes ??= this.#join();
    return this.#bytes;
  }

  get parts(): BytesParts {
    return this;
  }

  get length(): number {
    return this.#stringRecords.end;
  }

  get isDense(): boolean {
    const { records, end, total } = this.#stringRecords;
    return total === end - records.length;
  }

  copy(target: Uint8Array, at: number): void {
    const { records } = this.#stringRecords;
    target.set(records, at);
    copyRuns(this.#stringRecords, target, at + records.length);
  }

  copyValues(target: Uint8Array, at: number): void {
    copyRuns(this.#stringRecords, target, at);
  }

  #join(): Uint8Array {
    const { records, runs, end } = this.#stringRecords;
    if (runs.length === 0) return records;
    const bytes = Buffer.allocUnsafeSlow(end);
    this.copy(bytes, 0);
    return bytes;
  }
}

/** Copies the long strings in order. */
function copyRuns({ records, runs }: StringRecords, target: Uint8Array, start: number): void {
  let at = start;
  for (const pairs of runs) {
    for (let i = 0; i < pairs.length; i += 2) {
      const [first, length] = [pairs[i]!, pairs[i + 1]!];
      const pointer = records.byteOffset + first * RECORD + 8;
      target.set(duckdb.get_data_from_pointer(records.buffer as ArrayBuffer, pointer, length), at);
      at += length;
    }
  }
}

/** Strings and blobs as they are. */
export function createStringDecoder(type: ColumnType): Decoder {
  return {
    type,
    holdsStrings: true,
    decode: (vector, from, to, records = readRecords(vector, from, to)) => decodeStrings(records),
  };
}
