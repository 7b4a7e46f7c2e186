import duckdb from '@duckdb/node-bindings';

import { type BytesVector, type ColumnType, isValid } from '../../result/column.ts';
import { DatabaseError } from '../connection.ts';
import type { Decoder } from './decoder.ts';
import { readData, readValidity } from './raw-vector.ts';

/** A string's record: 4 bytes of length, then up to 12 bytes of it, or 4 of it and a pointer to all. */
const RECORD = 16;
const INLINE = 12;
/** Strings lie back to back; across gaps below this they are read in one run. */
const GAP = 64;
const MOST_BYTES = 2 ** 31 - 1;

/** Adds each row's length in bytes to `sizes`; returns the sum. */
export function measureStrings(vector: duckdb.Vector, rows: number, sizes: Float64Array): number {
  const records = readData(vector, RECORD, 0, rows);
  const words = new Uint32Array(records.buffer, records.byteOffset, rows * 4);
  const validity = readValidity(vector, 0, rows);
  let total = 0;
  for (let row = 0; row < rows; row += 1) {
    if (!isValid(validity, row)) continue;
    sizes[row]! += words[row * 4]!;
    total += words[row * 4]!;
  }
  return total;
}

/** Strings that lie in one stretch of the engine's memory: those of the rows `first` to `last`. */
interface Run {
  readonly first: number;
  /** Where the stretch begins: the halves of its address. */
  readonly low: number;
  readonly high: number;
  length: number;
  /** Where its bytes go. */
  readonly at: number;
}

/**
 * The strings of rows `from` to before `to`. The bytes are the records themselves, which hold the short
 * strings, and behind them the long ones, copied run by run.
 */
export function decodeStrings(vector: duckdb.Vector, from: number, to: number): BytesVector {
  const rows = to - from;
  const records = readData(vector, RECORD, from, to);
  const words = new Uint32Array(records.buffer, records.byteOffset, rows * 4);
  const validity = readValidity(vector, from, to);
  const starts = new Int32Array(rows);
  const lengths = new Int32Array(rows);
  const runs: Run[] = [];
  let end = rows * RECORD;
  for (let row = 0; row < rows; row += 1) {
    if (!isValid(validity, row)) continue;
    const length = words[row * 4]!;
    lengths[row] = length;
    if (length <= INLINE) {
      starts[row] = row * RECORD + 4;
    } else {
      const run = extendRun(runs, words, row, length, end);
      starts[row] = run.at + run.length - length;
      end = run.at + run.length;
    }
  }
  return { kind: 'bytes', validity, bytes: copyRuns(records, runs, end), starts, lengths };
}

/** Puts a row's string at the end of the last run, or begins one. */
function extendRun(runs: Run[], words: Uint32Array, row: number, length: number, end: number): Run {
  const low = words[row * 4 + 2]!;
  const high = words[row * 4 + 3]!;
  const last = runs.at(-1);
  if (last !== undefined) {
    const gap = low - last.low + (high - last.high) * 2 ** 32 - last.length;
    if (gap >= 0 && gap < GAP) {
      last.length += gap + length;
      return last;
    }
  }
  const run = { first: row, low, high, length, at: end };
  runs.push(run);
  return run;
}

function copyRuns(records: Uint8Array, runs: readonly Run[], end: number): Uint8Array {
  if (runs.length === 0) return records;
  if (end > MOST_BYTES) throw new DatabaseError('late', 'A value of more than 2 GiB cannot be read.');
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
  return { type, holdsStrings: true, decode: decodeStrings };
}
