/** The lowest and the highest bit of each of four bytes. */
const ONES = 0x01010101;
const HIGHS = 0x80808080 | 0;

/**
 * Marks the bytes of `word` that equal `pattern`, a word of four equal bytes: masked with HIGHS, the result has their
 * highest bits set. Next to an equal byte, other bytes can be marked, too.
 */
export function markEqual(word: number, pattern: number): number {
  const difference = word ^ pattern;
  return (difference - ONES) & ~difference;
}

/** Whether any byte is marked. */
export function isMarked(marks: number): boolean {
  return (marks & HIGHS) !== 0;
}

/** Copies bytes and returns their end. */
export function copyBytes(
  out: DataView,
  at: number,
  source: DataView,
  start: number,
  length: number,
): number {
  const end = at + length;
  if (length < 4) {
    for (let i = 0; i < length; i += 1) out.setUint8(at + i, source.getUint8(start + i));
    return end;
  }
  const shift = start - at;
  for (let to = at; to < end - 4; to += 4) out.setInt32(to, source.getInt32(to + shift, true), true);
  // The last word can overlap the one before.
  out.setInt32(end - 4, source.getInt32(end - 4 + shift, true), true);
  return end;
}

/** Writes ASCII text; returns its end, as all functions of this folder do. */
export function writeAscii(out: DataView, at: number, text: string): number {
  for (let i = 0; i < text.length; i += 1) out.setUint8(at + i, text.charCodeAt(i));
  return at + text.length;
}

/** Packs four ASCII characters in writing order, for `setInt32(…, true)`. */
export function packFour(text: string): number {
  let packed = 0;
  for (let i = 0; i < 4; i += 1) packed |= text.charCodeAt(i) << (8 * i);
  return packed;
}
