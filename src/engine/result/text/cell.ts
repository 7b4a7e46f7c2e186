import type { FixedVector, Vector } from '../columns/column.ts';
import type { TextColumn } from './text-column.ts';

/**
 * Writes the value of one row at a place and returns where it ended. What lies in the few places behind that
 * may be anything.
 */
export type WriteCell<Data> = (out: DataView, at: number, data: Data, row: number) => number;

/**
 * How the values of one column are written. The bytes that a row needs at most are known before it is
 * written, so that no writer has to look for room.
 */
export interface Cell<Data = unknown> {
  /** The same for cells that write alike. */
  readonly key: string;
  /** The most bytes of a value beside its text. */
  readonly most: number;
  /** What `write` needs to know of a vector with so many rows. */
  readonly load: (vector: Vector, rows: number) => Data;
  readonly write: WriteCell<Data>;
  /** For a column of texts, whose data is a TextColumn; else null. */
  readonly size: TextSize | null;
}

/** What a text needs. */
interface TextSize {
  /** The most bytes that one byte of text becomes. */
  readonly factor: number;
  /** The bytes of one row's text as it is written: for texts so long that it matters. */
  readonly measure: (texts: TextColumn, row: number) => number;
}

/** A cell whose data only its own `load` and `write` know. */
export function createCell<Data>(cell: Cell<Data>): Cell {
  return cell as unknown as Cell;
}

/** A cell of values of one width. */
export function createFixedCell<Data>(
  key: string,
  most: number,
  load: (vector: Vector) => Data,
  write: WriteCell<Data>,
): Cell {
  return createCell({ key, most, load, write, size: null });
}

/** The same cell with a byte before each value and one behind it. */
export function createEnclosedCell(cell: Cell, byte: number): Cell {
  const { key, most, write } = cell;
  return {
    ...cell,
    key: `enclosed-${key}`,
    most: most + 2,
    write(out, at, data, row) {
      out.setUint8(at, byte);
      const end = write(out, at + 1, data, row);
      out.setUint8(end, byte);
      return end + 1;
    },
  };
}

/** The words of 32 bits of a vector whose values have one or more of them, low ones first. */
export function toWords(vector: Vector): Int32Array {
  const { data } = vector as FixedVector;
  return new Int32Array(data.buffer, data.byteOffset, data.byteLength >> 2);
}
