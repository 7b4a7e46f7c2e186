import type { Chunk, Vector } from '../../result/column.ts';
import type { TextDecoder, TextField } from '../text/field.ts';
import { MESSAGE } from './messages.ts';
import type { Wire } from './wire.ts';

const MOST_ROWS = 2048;
/** Rows of a chunk stop when they have so many bytes. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Cuts the rows that have arrived into chunks. */
export class RowReader {
  readonly #wire: Wire;
  readonly #decoders: readonly TextDecoder[];
  /** By column, where each row's value begins and how long it is. */
  readonly #starts: readonly Int32Array[];
  readonly #lengths: readonly Int32Array[];
  readonly #validity: (Uint8Array | null)[];

  constructor(wire: Wire, decoders: readonly TextDecoder[]) {
    this.#wire = wire;
    this.#decoders = decoders;
    this.#starts = decoders.map(() => new Int32Array(MOST_ROWS));
    this.#lengths = decoders.map(() => new Int32Array(MOST_ROWS));
    this.#validity = decoders.map(() => null);
  }

  /** Takes rows that are there, up to the first message that is none; null when that is the next one. */
  read(): Chunk | null {
    const { bytes } = this.#wire;
    let rows = 0;
    let size = 0;
    for (let message = this.#wire.peek(); message?.type === MESSAGE.dataRow; message = this.#wire.peek()) {
      this.#place(bytes, message.start + 2, rows);
      this.#wire.take(message);
      rows += 1;
      size += message.end - message.start;
      if (rows === MOST_ROWS || size >= MOST_BYTES) break;
    }
    return rows === 0 ? null : this.#decode(bytes, rows);
  }

  /** Notes where the values of a row are. */
  #place(bytes: Buffer, start: number, row: number): void {
    let at = start;
    for (let column = 0; column < this.#starts.length; column += 1) {
      const length = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
      at += 4;
      this.#starts[column]![row] = at;
      this.#lengths[column]![row] = length;
      if (length >= 0) at += length;
      else this.#setNull(column, row);
    }
  }

  #setNull(column: number, row: number): void {
    this.#validity[column] ??= new Uint8Array(MOST_ROWS / 8).fill(0xff);
    this.#validity[column]![row >> 3]! &= ~(1 << (row & 7));
  }

  #decode(bytes: Buffer, rows: number): Chunk {
    const vectors: readonly Vector[] = this.#decoders.map((decoder, column) => {
      const field: TextField = {
        bytes,
        starts: this.#starts[column]!,
        lengths: this.#lengths[column]!,
        rows,
        validity: this.#validity[column]!,
      };
      this.#validity[column] = null;
      return decoder.decode(field);
    });
    return { rows, vector: (column) => vectors[column]! };
  }
}
