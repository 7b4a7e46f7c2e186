import type { Chunk, Column } from '../columns/column.ts';
import type { Encoder } from '../columns/encoder.ts';
import type { Sink } from '../columns/sink.ts';
import { Batches, joinSmall } from './batches.ts';
import { END_OF_STREAM } from './message.ts';
import { createSchemaMessage } from './schema.ts';

/**
 * The stream format of Apache Arrow, with the types of docs/reference/results.md#types: a schema, record batches, the
 * end marker. As in DuckDB's Arrow output, infinite dates and timestamps keep their special number (the largest of
 * their type, and its negative). A HUGEINT of 39 digits, which exceeds Arrow's decimals, and a value of more than 2 GiB
 * make `chunk` reject with an ArrowLimitError. Without a result set, the schema has no fields.
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
  #batches: Batches | null = null;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  start(columns: readonly Column[]): void {
    this.#schema = [createSchemaMessage(columns)];
    this.#batches = new Batches(columns, (parts) => this.#write(parts));
  }

  async append(chunk: Chunk): Promise<void> {
    await this.#batches?.append(chunk);
  }

  async end(): Promise<void> {
    if (this.#schema === null) this.start([]);
    await this.#write([...(this.#batches?.takeRest() ?? []), END_OF_STREAM]);
  }

  async #write(parts: readonly Uint8Array[]): Promise<void> {
    const all = [...(this.#schema ?? []), ...parts];
    this.#schema = [];
    if (this.#sink.writeAll) {
      await this.#sink.writeAll([...joinSmall(all)]);
      return;
    }
    for (const bytes of joinSmall(all)) {
      const taken = this.#sink.write(bytes);
      if (taken) await taken;
    }
  }
}
