import type { Chunk, Column, Vector } from '../columns/column.ts';
import { BatchBody } from './batch-body.ts';
import { BATCH_BYTES, type ColumnWriter, type WriterContext } from './column-writer.ts';
import { createColumnWriter } from './create-writer.ts';

/** Rows of a record batch. */
const BATCH_ROWS = 16_384;
/** Rows of the first batch: fewer, so that the first bytes are sent early. */
const FIRST_ROWS = 2048;
/** Parts smaller than this are joined before they are written, up to the size of a block. */
const SMALL = 16 * 1024;
const BLOCK = 256 * 1024;

/**
 * Receives one complete record batch: its message, the parts of its body, and its number of rows. The parts are valid
 * until the promise resolves.
 */
export type TakeBatch = (parts: readonly Uint8Array[], rows: number) => Promise<void>;

/** Collects rows as record batches of Apache Arrow. */
export class Batches {
  readonly #take: TakeBatch;
  readonly #writers: readonly ColumnWriter[];
  #rows = 0;
  #maxRows = FIRST_ROWS;

  constructor(
    columns: readonly Column[],
    take: TakeBatch,
    onRangeError: WriterContext['onRangeError'] = throwError,
  ) {
    this.#take = take;
    this.#writers = columns.map(({ name, type }) => createColumnWriter(type, { column: name, onRangeError }));
  }

  /** The rows since the last batch. */
  get rows(): number {
    return this.#rows;
  }

  /** Adds rows and passes on the batches that are full. Rejects with an ArrowLimitError. */
  async append(chunk: Chunk): Promise<void> {
    const vectors = this.#writers.map((_, column) => chunk.vector(column));
    for (let from = 0; from < chunk.rows; ) {
      const to = this.#fit(vectors, from, chunk.rows);
      this.#writers.forEach((writer, column) => {
        writer.append(vectors[column]!, from, to);
      });
      this.#rows += to - from;
      if (to === from || this.#isFull()) await this.flush();
      from = to;
    }
  }

  /** Passes on the rows since the last batch, if there are any. */
  async flush(): Promise<void> {
    const rows = this.#rows;
    if (rows > 0) await this.#take(this.takeRest(), rows);
  }

  /** The batch of the rows since the last one, valid until the next `append`; without rows, no parts. */
  takeRest(): readonly Uint8Array[] {
    if (this.#rows === 0) return [];
    const body = new BatchBody();
    for (const writer of this.#writers) writer.take(body);
    const parts = body.toParts(this.#rows);
    this.#rows = 0;
    this.#maxRows = BATCH_ROWS;
    return parts;
  }

  #fit(vectors: readonly Vector[], from: number, rows: number): number {
    let to = Math.min(rows, from + this.#maxRows - this.#rows);
    this.#writers.forEach((writer, column) => {
      to = writer.fit(vectors[column]!, from, to);
    });
    return to;
  }

  #isFull(): boolean {
    if (this.#rows === this.#maxRows) return true;
    return this.#writers.reduce((sum, { bytes }) => sum + bytes, 0) >= BATCH_BYTES;
  }
}

function throwError(error: Error): never {
  throw error;
}

/** Joins consecutive small parts. */
export function* joinSmall(parts: readonly Uint8Array[]): Generator<Uint8Array, void, undefined> {
  let small: Uint8Array[] = [];
  let size = 0;
  for (const part of parts) {
    if (size > 0 && (part.length >= SMALL || size + part.length > BLOCK)) {
      yield join(small, size);
      small = [];
      size = 0;
    }
    if (part.length >= SMALL) {
      yield part;
    } else {
      small.push(part);
      size += part.length;
    }
  }
  if (size > 0) yield join(small, size);
}

function join(parts: readonly Uint8Array[], size: number): Uint8Array {
  const joined = Buffer.allocUnsafeSlow(size);
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
