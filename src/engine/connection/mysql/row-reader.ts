import type { Chunk, Vector } from '../../result/column.ts';
import type { TextDecoder, TextField } from '../text/field.ts';
import { isRow } from './messages.ts';
import { HEAD, LONGEST, type Wire } from './wire.ts';

const MOST_ROWS = 2048;
/** Rows of a chunk stop when they have so many bytes. */
const MOST_BYTES = 4 * 1024 * 1024;
const NULL = 0xfb;

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

  /** Takes rows that are there, up to the first packet that is none; null when that is the next one. */
  read(): Chunk | null {
    const { bytes, at: from, end: arrived } = this.#wire;
    const last = Math.min(arrived, from + MOST_BYTES);
    let at = from;
    let rows = 0;
    while (rows < MOST_ROWS && at + HEAD < last) {
      const start = at + HEAD;
      const length = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16);
      const end = start + length;
      if (end > arrived || length === LONGEST || !isRow(bytes, start, end)) break;
      this.#place(bytes, start, rows);
      at = end;
      rows += 1;
    }
    if (rows === 0) return this.#readLong();
    this.#wire.skipTo(at);
    return this.#decode(bytes, rows);
  }

  /** A row that is longer than a packet. */
  #readLong(): Chunk | null {
    const packet = this.#wire.peek();
    const { bytes } = this.#wire;
    if (packet === null || packet.end - packet.start < LONGEST) return null;
    this.#place(bytes, packet.start, 0);
    this.#wire.skipTo(packet.end);
    return this.#decode(bytes, 1);
  }

  /** Notes where the values of a row are. */
  #place(bytes: Buffer, start: number, row: number): void {
    let at = start;
    for (let column = 0; column < this.#starts.length; column += 1) {
      let length = bytes[at]!;
      at += 1;
      if (length === NULL) {
        length = -1;
        this.#setNull(column, row);
      } else if (length > NULL) {
        const width = length === 0xfc ? 2 : length === 0xfd ? 3 : 8;
        length = bytes.readUIntLE(at, Math.min(width, 4));
        at += width;
      }
      this.#starts[column]![row] = at;
      this.#lengths[column]![row] = length;
      if (length > 0) at += length;
    }
  }

  #setNull(column: number, row: number): void {
    this.#validity[column] ??= new Uint8Array(MOST_ROWS / 8).fill(0xff);
    this.#validity[column]![row >> 3]! &= ~(1 << (row & 7));
  }

  #decode(buffer: Buffer, rows: number): Chunk {
    const bytes = new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.length);
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
