import type { Chunk, Column, Vector } from '../columns/column.ts';
import type { Encoder } from '../columns/encoder.ts';
import type { Sink } from '../columns/sink.ts';
import { BatchBody } from './batch-body.ts';
import { BATCH_BYTES, type ColumnWriter } from './column-writer.ts';
import { createColumnWriter } from './create-writer.ts';
import { END_OF_STREAM } from './message.ts';
import { createSchemaMessage } from './schema.ts';

/** Rows of a record batch. */
const BATCH_ROWS = 16_384;
/** Rows of the first batch: fewer, so that the first bytes are sent early. */
const FIRST_ROWS = 2048;
/** Parts smaller than this are joined before they are written, up to the size of a block. */
const SMALL = 16 * 1024;
const BLOCK = 256 * 1024;

/**
 * The stream format of Apache Arrow, types after results 4: a schema, record batches, the end marker. As in DuckDB's
 * Arrow output, infinite dates and timestamps keep their special number (the largest of their type, and its negative).
 * A HUGEINT of 39 digits, which exceeds Arrow's decimals, and a value of more than 2 GiB make `chunk` reject with an
 * ArrowLimitError. Without a result set, the schema has no fields.
 */
export function createArrowEncoder(sink: Sink): Encoder {
  const stream = new ArrowStream(sink);
  return {
    start: async (columns) => stream.start(columns),
    chunk: (chunk) => stream.append(chunk),
    end: () => stream.end(),
  };
}

class ArrowStream {
  readonly #sink: Sink;
  /** Written with the first batch, so that a script that fails earlier writes no bytes. */
  #schema: readonly Uint8Array[] | null = null;
  #writers: readonly ColumnWriter[] = [];
  #rows = 0;
  #maxRows = FIRST_ROWS;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  start(columns: readonly Column[]): void {
    this.#schema = [createSchemaMessage(columns)];
    this.#writers = columns.map(({ name, type }) => createColumnWriter(type, name));
  }

  async append(chunk: Chunk): Promise<void> {
    const vectors = this.#writers.map((_, column) => chunk.vector(column));
    for (let from = 0; from < chunk.rows; ) {
      const to = this.#fit(vectors, from, chunk.rows);
      this.#writers.forEach((writer, column) => {
        writer.append(vectors[column]!, from, to);
      });
      this.#rows += to - from;
      if (to === from || this.#isFull()) await this.#write(this.#take());
      from = to;
    }
  }

  async end(): Promise<void> {
    if (this.#schema === null) this.start([]);
    const batch = this.#rows > 0 ? this.#take() : [];
    await this.#write([...batch, END_OF_STREAM]);
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

  /** The message of the collected rows, and its body. */
  #take(): readonly Uint8Array[] {
    const body = new BatchBody();
    for (const writer of this.#writers) writer.take(body);
    const parts = body.toParts(this.#rows);
    this.#rows = 0;
    this.#maxRows = BATCH_ROWS;
    return parts;
  }

  async #write(parts: readonly Uint8Array[]): Promise<void> {
    const all = [...(this.#schema ?? []), ...parts];
    this.#schema = [];
    for (const bytes of joinSmall(all)) {
      const taken = this.#sink.write(bytes);
      if (taken) await taken;
    }
  }
}

/** Joins consecutive small parts. */
function* joinSmall(parts: readonly Uint8Array[]): Generator<Uint8Array, void, undefined> {
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
