import { isValid } from '../../result/columns/column.ts';
import type { TextDecoder } from '../text/field.ts';

/** A column of bare NULLs. */
export const nullDecoder: TextDecoder = {
  type: { kind: 'null' },
  decode: ({ validity }) => ({ kind: 'fixed', validity, data: new Uint8Array(0) }),
};

/** Bytes in base64. */
export const base64Decoder: TextDecoder = {
  type: { kind: 'binary' },
  decode({ bytes, starts, lengths, rows, validity }) {
    const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let total = 0;
    for (let row = 0; row < rows; row += 1) total += Math.ceil((Math.max(lengths[row]!, 0) * 3) / 4);
    const decoded = Buffer.from(new ArrayBuffer(total));
    const [ownStarts, ownLengths] = [new Int32Array(rows), new Int32Array(rows)];
    let at = 0;
    for (let row = 0; row < rows; row += 1) {
      ownStarts[row] = at;
      if (!isValid(validity, row)) continue;
      const start = starts[row]!;
      const written = decoded.write(source.toString('latin1', start, start + lengths[row]!), at, 'base64');
      ownLengths[row] = written;
      at += written;
    }
    return { kind: 'bytes', validity, bytes: decoded, starts: ownStarts, lengths: ownLengths };
  },
};
