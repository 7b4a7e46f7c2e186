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
