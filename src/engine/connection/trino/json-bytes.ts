import { DatabaseError } from '../contract/connection.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const LETTER_U = 0x75;

/** Bytes of the letters after a backslash, such as `n`. */
const ESCAPES: ReadonlyMap<number, number> = new Map(
  Object.entries({ b: 8, t: 9, n: 10, f: 12, r: 13 }).map(([letter, byte]) => [letter.charCodeAt(0), byte]),
);

/** The error for bytes that are not valid JSON. */
export function createBroken(cause?: unknown): DatabaseError {
  return new DatabaseError('late', 'The rows that the server sent are damaged.', undefined, { cause });
}

/** The end of the JSON value at a position. Throws a DatabaseError. */
export function skipValue(bytes: Uint8Array, start: number): number {
  const end = findValueEnd(bytes, start);
  if (end > bytes.length) throw createBroken();
  return end;
}

/** The end of the JSON value at a position; a position behind the bytes if they end before it. */
export function findValueEnd(bytes: Uint8Array, start: number): number {
  let depth = 0;
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at]!;
    if (byte === QUOTE) at = indexOfQuote(bytes, at + 1);
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth += 1;
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
    else if (depth > 0 || !endsScalar(bytes[at + 1])) continue;
    if (depth <= 0) return at + 1;
  }
  return bytes.length + 1;
}

/** Whether JSON has blanks between its signs and values, up to a position. */
export function hasBlanks(bytes: Uint8Array, end: number): boolean {
  for (let at = 0; at < Math.min(end, bytes.length); at += 1) {
    const byte = bytes[at]!;
    if (byte === QUOTE) at = indexOfQuote(bytes, at + 1);
    else if (isBlank(byte)) return true;
  }
  return false;
}

/** The same JSON without these blanks. */
export function removeBlanks(bytes: Buffer): Buffer {
  const output = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!;
    const end = byte === QUOTE ? Math.min(indexOfQuote(bytes, at + 1), bytes.length - 1) : at;
    if (isBlank(byte)) continue;
    length += bytes.copy(output, length, at, end + 1);
    at = end;
  }
  return output.subarray(0, length);
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

/** Whether a number or a word ends before a byte, or at the end of the bytes. */
function endsScalar(byte: number | undefined): boolean {
  return byte === undefined || byte === COMMA || byte === CLOSE_LIST || byte === CLOSE_OBJECT;
}

/** The position of the quote that ends the string whose content starts here. Throws a DatabaseError. */
export function findQuote(bytes: Uint8Array, start: number): number {
  const at = indexOfQuote(bytes, start);
  if (at === bytes.length) throw createBroken();
  return at;
}

/** The position of that quote, or the end of the bytes. */
function indexOfQuote(bytes: Uint8Array, start: number): number {
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at += 1;
  }
  return bytes.length;
}

/** Decodes the escapes of the string content `bytes[start .. end]` in place; returns its new end. */
export function decodeEscapes(bytes: Buffer, start: number, end: number): number {
  let to = bytes.indexOf(BACKSLASH, start);
  if (to === -1 || to >= end) return end;
  for (let from = to; from < end; ) {
    const byte = bytes[from]!;
    if (byte !== BACKSLASH) {
      bytes[to] = byte;
      [to, from] = [to + 1, from + 1];
      continue;
    }
    const letter = bytes[from + 1]!;
    if (letter !== LETTER_U) {
      bytes[to] = ESCAPES.get(letter) ?? letter;
      [to, from] = [to + 1, from + 2];
      continue;
    }
    // Two escapes of surrogates are one character.
    const last = findLastEscape(bytes, from, end);
    to += bytes.write(JSON.parse(`"${bytes.toString('latin1', from, last)}"`) as string, to);
    from = last;
  }
  return to;
}

/** The end of the `\uXXXX` escapes that follow one another. */
function findLastEscape(bytes: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at] === BACKSLASH && bytes[at + 1] === LETTER_U) at += 6;
  if (at > end) throw createBroken();
  return at;
}
