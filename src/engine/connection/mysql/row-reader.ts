import type { Chunk } from '../../result/columns/column.ts';
import type { TextDecoder } from '../text/field.ts';
import { MAX_BYTES, MAX_ROWS, RowPlaces } from '../text/row-places.ts';
import { isRow } from './messages.ts';
import { HEAD, MAX_LENGTH, type Wire } from './wire.ts';

const NULL = 0xfb;

/** Cuts the rows that have arrived into chunks. */
export class RowReader {
  readonly #wire: Wire;
  readonly #places: RowPlaces;

  constructor(wire: Wire, decoders: readonly TextDecoder[]) {
    this.#wire = wire;
    this.#places = new RowPlaces(decoders);
  }

  /** Reads the rows that have arrived, up to the first other packet; null when there are no rows. */
  read(): Chunk | null {
    const { bytes, at: from, end: arrived } = this.#wire;
    const last = Math.min(arrived, from + MAX_BYTES);
    let at = from;
    let rows = 0;
    while (rows < MAX_ROWS && at + HEAD < last) {
      const start = at + HEAD;
      const length = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16);
      const end = start + length;
      if (end > arrived || length === MAX_LENGTH || !isRow(bytes, start, end)) break;
      this.#place(bytes, start, rows);
      at = end;
      rows += 1;
    }
    if (rows === 0) return this.#readLong();
    this.#wire.skipTo(at);
    return this.#places.decode(bytes, rows);
  }

  /** Reads a row that is longer than a packet. */
  #readLong(): Chunk | null {
    const packet = this.#wire.peek();
    const { bytes } = this.#wire;
    if (packet === null || packet.end - packet.start < MAX_LENGTH) return null;
    this.#place(bytes, packet.start, 0);
    this.#wire.skipTo(packet.end);
    return this.#places.decode(bytes, 1);
  }

  /** Records the positions of the values of a row. */
  #place(bytes: Buffer, start: number, row: number): void {
    const { starts, lengths } = this.#places;
    let at = start;
    for (let column = 0; column < starts.length; column += 1) {
      let length = bytes[at]!;
      at += 1;
      if (length === NULL) {
        length = -1;
        this.#places.setNull(column, row);
      } else if (length > NULL) {
        const width = length === 0xfc ? 2 : length === 0xfd ? 3 : 8;
        length = bytes.readUIntLE(at, Math.min(width, 4));
        at += width;
      }
      starts[column]![row] = at;
      lengths[column]![row] = length;
      if (length > 0) at += length;
    }
  }
}
