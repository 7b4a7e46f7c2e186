import type { Chunk, Vector } from '../../result/columns/column.ts';
import type { TextDecoder } from './field.ts';

/** Rows of one chunk. */
export const MAX_ROWS = 2048;
/** Rows of a chunk stop when they have so many bytes. */
export const MAX_BYTES = 4 * 1024 * 1024;

/** Where the values of some rows are in the bytes that arrived, which then become columns. */
export class RowPlaces {
  readonly #decoders: readonly TextDecoder[];
  /** By column and row, where a value begins; to be written by whoever reads the rows. */
  readonly starts: readonly Int32Array[];
  /** The same of its length; -1 for no value, which `setNull` notes. */
  readonly lengths: readonly Int32Array[];
  readonly #validity: (Uint8Array | null)[];

  constructor(decoders: readonly TextDecoder[]) {
    this.#decoders = decoders;
    this.starts = decoders.map(() => new Int32Array(MAX_ROWS));
    this.lengths = decoders.map(() => new Int32Array(MAX_ROWS));
    this.#validity = decoders.map(() => null);
  }

  setNull(column: number, row: number): void {
    this.#validity[column] ??= new Uint8Array(MAX_ROWS / 8).fill(0xff);
    this.#validity[column]![row >> 3]! &= ~(1 << (row & 7));
  }

  /** Makes a chunk of the first `rows`, and begins anew. */
  decode(buffer: Buffer, rows: number): Chunk {
    const bytes = new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.length);
    const vectors: readonly Vector[] = this.#decoders.map((decoder, column) => {
      const validity = this.#validity[column]!;
      this.#validity[column] = null;
      return decoder.decode({
        bytes,
        starts: this.starts[column]!,
        lengths: this.lengths[column]!,
        rows,
        validity,
      });
    });
    return { rows, vector: (column) => vectors[column]! };
  }
}
