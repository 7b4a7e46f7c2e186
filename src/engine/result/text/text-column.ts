import { type BytesVector, isValid, type Vector } from '../columns/column.ts';

/** The texts of one column in one chunk: row `i` is `bytes[starts[i] .. starts[i] + lengths[i]]`. */
export interface TextColumn {
  readonly bytes: DataView;
  readonly starts: Int32Array;
  readonly lengths: Int32Array;
  /** State of a writer between rows: whether the last text was in quotes. */
  quoted: boolean;
}

/** The texts of a vector of bytes. */
export function toTextColumn(vector: Vector): TextColumn {
  const { bytes, starts, lengths } = vector as BytesVector;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { bytes: view, starts, lengths, quoted: false };
}

/** Renders texts one by one as UTF-8; skips NULL rows. */
export function renderTexts(
  rows: number,
  validity: Uint8Array | null,
  toText: (row: number) => string,
): TextColumn {
  const starts = new Int32Array(rows);
  const lengths = new Int32Array(rows);
  let bytes = Buffer.allocUnsafeSlow(0);
  let end = 0;
  for (let row = 0; row < rows; row += 1) {
    if (!isValid(validity, row)) continue;
    const text = toText(row);
    bytes = withRoom(bytes, end, text.length * 3);
    starts[row] = end;
    lengths[row] = bytes.write(text, end, 'utf8');
    end += lengths[row]!;
  }
  return { bytes: new DataView(bytes.buffer, bytes.byteOffset, end), starts, lengths, quoted: false };
}

/** A buffer that starts with the first `used` bytes of `bytes` and has room for `more` bytes. */
function withRoom(bytes: Buffer<ArrayBuffer>, used: number, more: number): Buffer<ArrayBuffer> {
  if (used + more <= bytes.length) return bytes;
  const grown = Buffer.allocUnsafeSlow(Math.max(used + more, bytes.length * 2));
  bytes.copy(grown, 0, 0, used);
  return grown;
}
