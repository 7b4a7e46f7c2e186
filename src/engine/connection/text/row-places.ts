import type { Chunk, Vector } from '../../result/columns/column.ts';
import type { TextDecoder } from './field.ts';

/** Maximum rows of a chunk. */
export const MAX_ROWS = 2048;
/** Maximum bytes of the rows of a chunk, after which it ends. */
export const MAX_BYTES = 4 * 1024 * 1024;

/** Positions of the values of some rows in the received bytes. */
export class RowPlaces {
  readonly #decoders: readonly TextDecoder[];
  /** Start of each value, by column and row; written by the row reader. */
  readonly starts: readonly Int32Array[];
  /** Length of each value; -1 for NULL, which `setNull` records. */
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

  /** Forgets the NULLs of a row that is not complete. */
  forget(row: number): void {
    for (const validity of this.#validity) if (validity !== null) validity[row >> 3]! |= 1 << (row & 7);
  }

  /** Makes a chunk of the first `rows`, and starts the next one. */
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
