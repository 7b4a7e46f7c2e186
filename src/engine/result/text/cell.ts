import { type BytesVector, type FixedVector, isValid, type Vector } from '../columns/column.ts';
import { copyBytes, packFour } from './bytes.ts';

/**
 * Writes the value of one row at an offset and returns its end. It can overwrite a few bytes after the end.
 */
export type WriteCell<Data> = (out: DataView, at: number, data: Data, row: number) => number;

/**
 * A writer of the values of one column. The maximum bytes of a row are known before it is written, so that writers do
 * not need to check for room.
 */
export interface Cell<Data = unknown> {
  /** A key that is equal for cells with the same output. */
  readonly key: string;
  /** The maximum bytes of a value without its text. */
  readonly maxBytes: number;
  /** Prepares the data for `write` from a vector with the given number of rows. */
  readonly load: (vector: Vector, rows: number) => Data;
  readonly write: WriteCell<Data>;
  /** The size of texts for a column whose data is a TextColumn; else null. */
  readonly size: TextSize | null;
}

/** The size of encoded text. */
interface TextSize {
  /** The maximum encoded bytes of one byte of text. */
  readonly factor: number;
  /** The exact encoded bytes of one row's text, used for long texts. */
  readonly measure: (texts: TextColumn, row: number) => number;
}

/** Creates a cell whose data type only its `load` and `write` know. */
export function createCell<Data>(cell: Cell<Data>): Cell {
  return cell as unknown as Cell;
}

/** Creates a cell for values of one width. */
export function createFixedCell<Data>(
  key: string,
  maxBytes: number,
  load: (vector: Vector) => Data,
  write: WriteCell<Data>,
): Cell {
  return createCell({ key, maxBytes, load, write, size: null });
}

/** Creates a cell that writes a byte before and after each value. */
export function createEnclosedCell(cell: Cell, byte: number): Cell {
  const { key, maxBytes, write } = cell;
  return {
    ...cell,
    key: `enclosed-${key}`,
    maxBytes: maxBytes + 2,
    write(out, at, data, row) {
      out.setUint8(at, byte);
      const end = write(out, at + 1, data, row);
      out.setUint8(end, byte);
      return end + 1;
    },
  };
}

/** The 32-bit words of a vector; a value has one or more words, low words first. */
export function toWords(vector: Vector): Int32Array {
  const { data } = vector as FixedVector;
  return new Int32Array(data.buffer, data.byteOffset, data.byteLength >> 2);
}

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

const FALSE = packFour('fals');
const TRUE = packFour('true');
const LETTER_E = 0x65;

/** `true` or `false`. */
export const booleanCell: Cell = createFixedCell(
  'boolean',
  5,
  (vector) => (vector as FixedVector).data,
  (out, at, values, row) => {
    const isTrue = values[row] !== 0;
    out.setInt32(at, isTrue ? TRUE : FALSE, true);
    out.setUint8(at + 4, LETTER_E);
    return isTrue ? at + 4 : at + 5;
  },
);

/** A column that contains only NULL. */
export const nullCell: Cell = createFixedCell(
  'null',
  0,
  () => null,
  (_out, at) => at,
);

/** Text without quotes or escapes. */
export function createRawCell(load: Cell<TextColumn>['load']): Cell {
  return createCell<TextColumn>({
    key: 'raw',
    maxBytes: 0,
    load,
    write: (out, at, { bytes, starts, lengths }, row) =>
      copyBytes(out, at, bytes, starts[row]!, lengths[row]!),
    size: { factor: 1, measure: ({ lengths }, row) => lengths[row]! },
  });
}
