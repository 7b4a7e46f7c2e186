import type { BytesVector, ColumnType, Vector } from './column.ts';
import { toGeometryText } from './geometry-text.ts';
import { createPlainText, toBinaryText } from './plain-text.ts';
import { createReader } from './read-value.ts';

/**
 * Creates a reader of the values of a vector as text, for non-NULL rows. Reads only the first `longest` UTF-16 units of
 * a value.
 */
export function createCellText(
  type: ColumnType,
  vector: Vector,
  longest = Number.POSITIVE_INFINITY,
): (row: number) => string {
  switch (vector.kind) {
    case 'nested':
      return (row) => vector.texts[row]!.slice(0, longest);
    case 'bytes':
      return (row) => readBytes(type, vector, row, longest);
    case 'fixed': {
      const [read, toText] = [createReader(type, vector), createPlainText(type)];
      return (row) => toText(read(row)!);
    }
  }
}

/** A UTF-16 unit is at most three bytes of UTF-8, so four bytes for each unit are enough. */
function readBytes(
  type: ColumnType,
  { bytes, starts, lengths }: BytesVector,
  row: number,
  longest: number,
): string {
  const start = starts[row]!;
  if (type.kind === 'geometry')
    return toGeometryText(bytes.subarray(start, start + lengths[row]!)).slice(0, longest);
  const some = bytes.subarray(start, start + Math.min(lengths[row]!, longest * 4));
  if (type.kind === 'binary') return toBinaryText(some);
  return Buffer.from(some).toString('utf8').slice(0, longest);
}
