import type { Chunk } from '../../result/columns/column.ts';
import type { TextDecoder } from '../text/field.ts';
import { MAX_BYTES, MAX_ROWS, RowPlaces } from '../text/row-places.ts';
import { createBroken, decodeEscapes, skipValue } from './json-bytes.ts';
import type { Rows } from './page.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN = 0x5b;
const CLOSE = 0x5d;
const OBJECT = 0x7b;
const BACKSLASH = 0x5c;
const NULL = 0x6e;

/** Cuts JSON arrays of rows into chunks: the values stay where they are. */
export class RowReader {
  readonly #places: RowPlaces;
  readonly #columns: number;
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  #end = 0;
  #free: (() => void) | undefined;

  constructor(decoders: readonly TextDecoder[]) {
    this.#places = new RowPlaces(decoders);
    this.#columns = decoders.length;
  }

  /** Continues with more rows; those before have been read. */
  open({ bytes, start, end, free }: Rows): void {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
    this.#free = free;
  }

  get isEmpty(): boolean {
    return this.#at >= this.#end;
  }

  /** The next rows; null at the end. Throws a DatabaseError. */
  read(): Chunk | null {
    const bytes = this.#bytes;
    const last = Math.min(this.#end, this.#at + MAX_BYTES);
    let rows = 0;
    let at = this.#at;
    while (rows < MAX_ROWS && at < last) {
      if (bytes[at] === COMMA) at += 1;
      if (bytes[at] !== OPEN) throw createBroken();
      at = this.#place(bytes, at + 1, rows);
      rows += 1;
    }
    this.#at = at;
    if (at > this.#end) throw createBroken();
    if (rows > 0) return this.#places.decode(bytes, rows);
    // Nothing refers to the rows any longer.
    this.#bytes = Buffer.alloc(0);
    this.#free?.();
    this.#free = undefined;
    return null;
  }

  /** Records the positions of the values of a row; returns the end of the row. */
  #place(bytes: Buffer, from: number, row: number): number {
    const last = this.#columns - 1;
    let at = from;
    for (let column = 0; column <= last; column += 1) {
      at =
        bytes[at] === QUOTE
          ? this.#placeText(bytes, at + 1, column, row)
          : this.#placeOther(bytes, at, column, row);
      if (bytes[at] !== (column === last ? CLOSE : COMMA)) throw createBroken();
      at += 1;
    }
    return at;
  }

  /** Records a string whose content starts here; returns the position after its quote. */
  #placeText(bytes: Buffer, start: number, column: number, row: number): number {
    const { starts, lengths } = this.#places;
    const end = this.#end;
    let isEscaped = false;
    let at = start;
    for (let byte = bytes[at]; byte !== QUOTE; byte = bytes[at]) {
      if (at >= end) throw createBroken();
      if (byte === BACKSLASH) {
        isEscaped = true;
        at += 1;
      }
      at += 1;
    }
    starts[column]![row] = start;
    lengths[column]![row] = (isEscaped ? decodeEscapes(bytes, start, at) : at) - start;
    return at + 1;
  }

  /** Records a number, a word, a list or an object; returns its end. */
  #placeOther(bytes: Buffer, start: number, column: number, row: number): number {
    const { starts, lengths } = this.#places;
    const first = bytes[start];
    let at = start;
    if (first === OPEN || first === OBJECT) {
      at = skipValue(bytes, start);
    } else {
      for (let byte = first; byte !== COMMA && byte !== CLOSE && at < this.#end; byte = bytes[at]) at += 1;
    }
    starts[column]![row] = start;
    if (first === NULL) this.#places.setNull(column, row);
    lengths[column]![row] = first === NULL ? -1 : at - start;
    return at;
  }
}
