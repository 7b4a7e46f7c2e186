import type { Chunk } from '../../result/columns/column.ts';
import type { TextDecoder } from '../text/field.ts';
import { MAX_BYTES, MAX_ROWS, RowPlaces } from '../text/row-places.ts';
import { MESSAGE } from './messages.ts';
import type { Wire } from './wire.ts';

/** Cuts the rows that have arrived into chunks. */
export class RowReader {
  readonly #wire: Wire;
  readonly #places: RowPlaces;

  constructor(wire: Wire, decoders: readonly TextDecoder[]) {
    this.#wire = wire;
    this.#places = new RowPlaces(decoders);
  }

  /** Reads the rows that have arrived, up to the first other message; null when there are no rows. */
  read(): Chunk | null {
    const { bytes } = this.#wire;
    let rows = 0;
    let size = 0;
    for (let message = this.#wire.peek(); message?.type === MESSAGE.dataRow; message = this.#wire.peek()) {
      this.#place(bytes, message.start + 2, rows);
      this.#wire.take(message);
      rows += 1;
      size += message.end - message.start;
      if (rows === MAX_ROWS || size >= MAX_BYTES) break;
    }
    return rows === 0 ? null : this.#places.decode(bytes, rows);
  }

  /** Records the positions of the values of a row. */
  #place(bytes: Buffer, start: number, row: number): void {
    const { starts, lengths } = this.#places;
    let at = start;
    for (let column = 0; column < starts.length; column += 1) {
      const length = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
      at += 4;
      starts[column]![row] = at;
      lengths[column]![row] = length;
      if (length >= 0) at += length;
      else this.#places.setNull(column, row);
    }
  }
}
