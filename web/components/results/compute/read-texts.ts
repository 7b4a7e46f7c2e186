import { createFinder } from '../source/batch-source.ts';
import { hasValue } from '../source/batch-values.ts';
import type { ResultSource } from '../source/result-source.ts';

/** The texts of rows as UTF-8, one after the other. */
export interface TextBytes {
  readonly bytes: Uint8Array;
  /** Where each text begins in `bytes`, and where the last one ends. */
  readonly offsets: Uint32Array;
}

/** The rows with a text, their texts, and the rows that are NULL. */
interface TextRows extends TextBytes {
  readonly present: Uint32Array;
  readonly absent: Uint32Array;
}

/** The bytes that are read without decoding them; more would need too much memory. */
const MAX_BYTES = 128 * 1024 * 1024;
/** From this byte on, a character is two UTF-16 units, whose order differs from that of the bytes. */
const FIRST_PAIR = 0xf0;

/** Reads the texts of a column; null if its values have another type, or an order that is not that of their bytes. */
export function readTexts(source: ResultSource, rows: Uint32Array, column: number): TextRows | null {
  const type = source.columns[column]?.valueType;
  if (type?.kind !== 'text' || type.label !== 'STRING') return null;
  const find = createFinder(source.batches);
  const present = new Uint32Array(rows.length);
  const absent: number[] = [];
  const offsets = new Uint32Array(rows.length + 1);
  let [count, length] = [0, 0];
  for (const row of rows) {
    const { start, columns } = find(row);
    const data = columns[column];
    if (data === undefined) throw new Error(`the result has no column ${column}`);
    const local = row - start;
    if (!hasValue(data, local)) {
      absent.push(row);
      continue;
    }
    length += Number(data.offsets?.[local + 1]) - Number(data.offsets?.[local]);
    if (length > MAX_BYTES) return null;
    present[count] = row;
    count += 1;
    offsets[count] = length;
  }
  const found = { present: present.subarray(0, count), offsets: offsets.subarray(0, count + 1) };
  const bytes = copyBytes(source, column, found);
  return bytes === null ? null : { ...found, bytes, absent: Uint32Array.from(absent) };
}

/** Copies the texts of rows; null if one has a character of two UTF-16 units. */
function copyBytes(
  { batches }: ResultSource,
  column: number,
  { present, offsets }: Pick<TextRows, 'present' | 'offsets'>,
): Uint8Array | null {
  const find = createFinder(batches);
  const bytes = new Uint8Array(offsets[present.length] ?? 0);
  let to = 0;
  for (let i = 0; i < present.length; i += 1) {
    const row = present[i] ?? 0;
    const { start, columns } = find(row);
    const { values, offsets: ends } = columns[column] ?? {};
    const from = Number(ends?.[row - start]) - to;
    for (const end = offsets[i + 1] ?? 0; to < end; to += 1) {
      const byte = Number(values?.[from + to]);
      if (byte >= FIRST_PAIR) return null;
      bytes[to] = byte;
    }
  }
  return bytes;
}
