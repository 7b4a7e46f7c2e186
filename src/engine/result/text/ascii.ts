/** Writes text of which every character is ASCII; returns where it ended, as everything here does. */
export function writeAscii(out: DataView, at: number, text: string): number {
  for (let i = 0; i < text.length; i += 1) out.setUint8(at + i, text.charCodeAt(i));
  return at + text.length;
}

/** Four characters in the order in which they are written, for `setInt32(…, true)`. */
export function packFour(text: string): number {
  return Buffer.from(text, 'latin1').readInt32LE(0);
}
