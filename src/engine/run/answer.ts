import type { Chunk, Column } from '../result/column.ts';
import type { CreateEncoder, EncoderOptions } from '../result/encoder.ts';
import type { Sink } from '../result/sink.ts';
import type { Stats } from '../result/stats.ts';
import { openSpool, type Spool } from './spool.ts';

export interface AnswerOptions {
  readonly createEncoder: CreateEncoder;
  readonly encoder: EncoderOptions;
  /** At most this many rows are sent. */
  readonly maxRows: number;
  /** Where a first result set waits while later statements run, and how many bytes it may take. */
  readonly spoolDirectory: string;
  readonly spoolBytes: number;
}

/**
 * The one answer of an execution (language 9): the first result set, sent as it comes when nothing follows
 * it, else kept in a spool until the script has ended well.
 */
export interface Answer {
  /** Rows of the answer so far; null while there is no result set. */
  readonly rows: number | null;
  /** Takes the first result set; `live` sends it at once. Leaves `chunks` early when it has enough rows. */
  take(columns: readonly Column[], chunks: AsyncIterable<Chunk>, live: boolean): Promise<void>;
  /** Sends what waits and the end of the document. */
  finish(stats: Stats): Promise<void>;
  close(): Promise<void>;
}

export function createAnswer(sink: Sink, options: AnswerOptions): Answer {
  let target: Sink = sink;
  let spool: Spool | null = null;
  let rows: number | null = null;
  const encoder = options.createEncoder({ write: (bytes) => target.write(bytes) }, options.encoder);
  return {
    get rows() {
      return rows;
    },
    async take(columns, chunks, live) {
      if (!live) {
        spool = await openSpool(options.spoolDirectory, options.spoolBytes);
        target = spool;
      }
      rows = 0;
      await encoder.start(columns);
      for await (const chunk of atMost(chunks, options.maxRows)) {
        rows += chunk.rows;
        await encoder.chunk(chunk);
      }
    },
    async finish(stats) {
      if (spool) await spool.replay(sink);
      target = sink;
      await encoder.end(stats);
    },
    async close() {
      await spool?.close();
    },
  };
}

/** Passes on the first `limit` rows and then leaves the iteration, which stops the query. */
async function* atMost(chunks: AsyncIterable<Chunk>, limit: number): AsyncIterable<Chunk> {
  let left = limit;
  if (left <= 0) return;
  for await (const chunk of chunks) {
    if (chunk.rows >= left) {
      yield chunk.rows === left ? chunk : { rows: left, vector: (column) => chunk.vector(column) };
      return;
    }
    left -= chunk.rows;
    yield chunk;
  }
}
