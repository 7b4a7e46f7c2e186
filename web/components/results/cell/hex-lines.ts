/** The bytes of a line. */
const WIDTH = 16;

/** Bytes as lines of sixteen: the offset, the bytes in hexadecimal, and as ASCII, with a point for all others. */
export function printHexLines(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += WIDTH) {
    const line = [...bytes.subarray(at, at + WIDTH)];
    const hex = line.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const ascii = line
      .map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.'))
      .join('');
    lines.push(`${at.toString(16).padStart(8, '0')}  ${hex.padEnd(WIDTH * 3 - 1)}  ${ascii}`);
  }
  return lines.join('\n');
}
