import type { Chunk } from '../../result/columns/column.ts';
import { MAX_BYTES, MAX_ROWS, RowPlaces, type TextDecoder } from '../text/field.ts';
import { free, join } from './blocks.ts';
import { createBroken, decodeEscapes, findValueEnd } from './json-bytes.ts';
import type { Rows } from './page.ts';

const NO_ROWS: Rows = { bytes: Buffer.alloc(0), start: 0, end: 0 };
/** A byte behind rows, which their reader may look at: a read behind all bytes makes compiled code slow permanently. */
const BEHIND = Buffer.alloc(1);

/** The start of a row that ends in later rows. */
class RowStart {
  /** The start, and the rows behind it that do not suffice. */
  #parts: Rows[] = [];
  #size = 0;
  /** Bytes that make another attempt to read the row worthwhile: a long row is read a few times only. */
  #wanted = 0;

  /** Copies the start of a row. */
  keep(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#parts = [{ bytes: Buffer.from(bytes), start: 0, end: bytes.length }];
    this.#size = bytes.length;
    this.#wanted = 2 * bytes.length;
  }

  /** Puts the kept start before rows; returns none while they are too few for another attempt. */
  prepend(rows: Rows): Rows {
    const { start, end, isPartial = false } = rows;
    if (this.#parts.length === 0 && !isPartial) return rows;
    this.#parts.push(rows);
    this.#size += end - start;
    if (isPartial && this.#size < this.#wanted) return NO_ROWS;
    const bytes = join([...this.#parts.map((part) => part.bytes.subarray(part.start, part.end)), BEHIND]);
    for (const part of this.#parts) part.free?.();
    this.#parts = [];
    this.#size = 0;
    this.#wanted = 0;
    return { bytes, start: 0, end: bytes.length - 1, isPartial, free: () => free(bytes) };
  }
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN = 0x5b;
const CLOSE = 0x5d;
const OBJECT = 0x7b;
const BACKSLASH = 0x5c;
const NULL = 0x6e;
/** The end of a row that ends in later rows. */
const LATER = -1;

/** The place of a string with escapes, which are decoded in place when its row is complete. */
interface EscapedText {
  readonly column: number;
  readonly row: number;
  readonly start: number;
  readonly end: number;
}

/** Cuts JSON arrays of rows into chunks: the values stay where they are. */
export class RowReader {
  readonly #places: RowPlaces;
  readonly #columns: number;
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  #end = 0;
  #isPartial = false;
  #free: (() => void) | undefined;
  #escaped: EscapedText[] = [];
  readonly #rowStart = new RowStart();

  constructor(decoders: readonly TextDecoder[]) {
    this.#places = new RowPlaces(decoders);
    this.#columns = decoders.length;
  }

  /** Continues with more rows; those before have been read. */
  open(rows: Rows): void {
    const { bytes, start, end, isPartial = false, free } = this.#rowStart.prepend(rows);
    this.#isPartial = isPartial;
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
      const end = this.#place(bytes, at, rows);
      if (end === LATER) break;
      at = end;
      rows += 1;
    }
    this.#at = at;
    if (at > this.#end) throw createBroken();
    if (rows > 0) return this.#decode(bytes, rows);
    this.#rowStart.keep(bytes.subarray(at, this.#end));
    this.#at = this.#end;
    // Nothing refers to the rows any longer.
    this.#bytes = Buffer.alloc(0);
    this.#free?.();
    this.#free = undefined;
    return null;
  }

  #decode(bytes: Buffer, rows: number): Chunk {
    const { lengths } = this.#places;
    for (const { column, row, start, end } of this.#escaped) {
      lengths[column]![row] = decodeEscapes(bytes, start, end) - start;
    }
    if (this.#escaped.length > 0) this.#escaped = [];
    return this.#places.decode(bytes, rows);
  }

  /** Records the positions of the values of a row, which may have a comma in front; returns the end of the row. */
  #place(bytes: Buffer, from: number, row: number): number {
    const last = this.#columns - 1;
    let at = bytes[from] === COMMA ? from + 1 : from;
    if (bytes[at] !== OPEN) return this.#stop(at, row);
    at += 1;
    for (let column = 0; column <= last; column += 1) {
      at =
        bytes[at] === QUOTE
          ? this.#placeText(bytes, at + 1, column, row)
          : this.#placeOther(bytes, at, column, row);
      if (bytes[at] !== (column === last ? CLOSE : COMMA)) return this.#stop(at, row);
      at += 1;
    }
    return at;
  }

  /** Ends a row that continues in later rows, if these follow. Throws a DatabaseError for a damaged row. */
  #stop(at: number, row: number): typeof LATER {
    if (!this.#isPartial || at < this.#end) throw createBroken();
    this.#places.forget(row);
    this.#escaped = this.#escaped.filter((text) => text.row !== row);
    return LATER;
  }

  /** Records a string whose content starts here; returns the position after its quote, or the end of the rows. */
  #placeText(bytes: Buffer, start: number, column: number, row: number): number {
    const { starts, lengths } = this.#places;
    const end = this.#end;
    let isEscaped = false;
    let at = start;
    for (; at < end && bytes[at] !== QUOTE; at += 1) {
      if (bytes[at] !== BACKSLASH) continue;
      isEscaped = true;
      at += 1;
    }
    if (at >= end) return end;
    starts[column]![row] = start;
    lengths[column]![row] = at - start;
    if (isEscaped) this.#escaped.push({ column, row, start, end: at });
    return at + 1;
  }

  /** Records a number, a word, a list or an object; returns its end, or the end of the rows. */
  #placeOther(bytes: Buffer, start: number, column: number, row: number): number {
    const { starts, lengths } = this.#places;
    const first = bytes[start];
    let at = start;
    if (first === OPEN || first === OBJECT) {
      at = Math.min(findValueEnd(bytes, start), this.#end);
    } else {
      for (let byte = first; byte !== COMMA && byte !== CLOSE && at < this.#end; byte = bytes[at]) at += 1;
    }
    starts[column]![row] = start;
    if (first === NULL) this.#places.setNull(column, row);
    lengths[column]![row] = first === NULL ? -1 : at - start;
    return at;
  }
}
