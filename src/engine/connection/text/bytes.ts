import { isValid } from '../../result/columns/column.ts';
import { createUnreadable, readFieldText, type TextDecoder } from './field.ts';

const TRUE = 0x74;

/** The values `t` and `f`. */
export const booleanDecoder: TextDecoder = {
  type: { kind: 'boolean' },
  decode({ bytes, starts, rows, validity }) {
    const data = new Uint8Array(rows);
    for (let row = 0; row < rows; row += 1) data[row] = bytes[starts[row]!] === TRUE ? 1 : 0;
    return { kind: 'fixed', validity, data };
  },
};

/** Bytes as hexadecimal digits: `\x00ff`. */
export const hexDecoder: TextDecoder = {
  type: { kind: 'binary' },
  decode(field) {
    const { rows, lengths, validity } = field;
    let total = 0;
    for (let row = 0; row < rows; row += 1) total += Math.max(lengths[row]! - 2, 0) / 2;
    const bytes = new Uint8Array(total);
    const buffer = Buffer.from(bytes.buffer);
    const [ownStarts, ownLengths] = [new Int32Array(rows), new Int32Array(rows)];
    let at = 0;
    for (let row = 0; row < rows; row += 1) {
      ownStarts[row] = at;
      if (!isValid(validity, row)) continue;
      const text = readFieldText(field, row);
      if (!text.startsWith('\\x')) throw createUnreadable(text, 'bytes in hexadecimal digits');
      ownLengths[row] = buffer.write(text.slice(2), at, 'hex');
      at += ownLengths[row]!;
    }
    return { kind: 'bytes', validity, bytes, starts: ownStarts, lengths: ownLengths };
  },
};
