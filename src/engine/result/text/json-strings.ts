import { isMarked, markEqual } from './bytes.ts';
import type { TextColumn } from './text-column.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const QUOTES = 0x22222222;
const BACKSLASHES = 0x5c5c5c5c;
const BLANKS = 0x20202020;

/** The escape sequence of each byte; empty if it needs no escape. */
const ESCAPES: readonly Uint8Array[] = Array.from({ length: 256 }, (_, byte) =>
  byte < 0x20 || byte === QUOTE || byte === BACKSLASH
    ? Buffer.from(JSON.stringify(String.fromCharCode(byte)).slice(1, -1))
    : new Uint8Array(0),
);
const ESCAPE_LENGTHS = Uint8Array.from(ESCAPES, ({ length }) => length);

/** The maximum encoded bytes of one byte of text. */
export const MAX_ESCAPED = 6;

/** Writes a text as a JSON string. */
export function writeJsonString(out: DataView, at: number, column: TextColumn, row: number): number {
  const length = column.lengths[row]!;
  const start = column.starts[row]!;
  out.setUint8(at, QUOTE);
  const end =
    length < 4
      ? escapeBytes(out, at + 1, column.bytes, start, start + length)
      : escapeWords(out, at + 1, column.bytes, start, start + length);
  out.setUint8(end, QUOTE);
  return end + 1;
}

/** Copies four bytes at a time up to the first that must be escaped. */
function escapeWords(out: DataView, at: number, source: DataView, start: number, end: number): number {
  const shift = at - start;
  const last = end - 4;
  for (let from = start; from < last; from += 4) {
    const word = source.getInt32(from, true);
    out.setInt32(from + shift, word, true);
    if (mustEscape(word)) return escapeBytes(out, from + shift, source, from, end);
  }
  // The last word can overlap the one before.
  const word = source.getInt32(last, true);
  out.setInt32(last + shift, word, true);
  return mustEscape(word) ? escapeBytes(out, last + shift, source, last, end) : end + shift;
}

/** Whether one of four bytes is a quote, a backslash or a control character. */
function mustEscape(word: number): boolean {
  return isMarked(markEqual(word, QUOTES) | markEqual(word, BACKSLASHES) | ((word - BLANKS) & ~word));
}

function escapeBytes(out: DataView, at: number, source: DataView, start: number, end: number): number {
  let to = at;
  for (let from = start; from < end; from += 1) {
    const byte = source.getUint8(from);
    if (ESCAPE_LENGTHS[byte] === 0) {
      out.setUint8(to, byte);
      to += 1;
    } else {
      to = writeEscape(out, to, byte);
    }
  }
  return to;
}

function writeEscape(out: DataView, at: number, byte: number): number {
  const escaped = ESCAPES[byte]!;
  for (let i = 0; i < escaped.length; i += 1) out.setUint8(at + i, escaped[i]!);
  return at + escaped.length;
}

/** The bytes of a text as a JSON string. */
export function measureJsonString({ bytes, starts, lengths }: TextColumn, row: number): number {
  const start = starts[row]!;
  let size = lengths[row]! + 2;
  for (let at = start; at < start + lengths[row]!; at += 1) {
    size += Math.max(ESCAPE_LENGTHS[bytes.getUint8(at)]! - 1, 0);
  }
  return size;
}
