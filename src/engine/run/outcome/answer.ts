import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Chunk, Column } from '../../result/columns/column.ts';
import type { CreateEncoder, Encoder, EncoderOptions, Stats } from '../../result/columns/encoder.ts';
import type { Sink } from '../../result/columns/sink.ts';
import { openSpool, type Spool } from './spool.ts';
import { printFindings, type RunFindings } from './target-report.ts';

const NO_QUERY =
  'the rows of this statement cannot be written as parquet: write it as a query, or choose csv or arrow';

/** Thrown for rows that the engine cannot write to a file, because they do not come from a query. */
export class NoQueryError extends Error {
  constructor() {
    super(NO_QUERY);
  }
}

interface AnswerOptions {
  /** Null for a format that the engine writes to a file itself. */
  readonly createEncoder: CreateEncoder | null;
  readonly encoder: EncoderOptions;
  /** Maximum number of rows of a result set to send. */
  readonly maxRows: number;
  /** Whether every result set is sent, not only the first, in a format that can hold several. */
  readonly sendsAll: boolean;
  readonly readStats: () => Stats;
  /** The folder and maximum bytes of a first result set that is stored while later statements run. */
  readonly spoolDirectory: string;
  readonly spoolBytes: number;
  /** Awaited before each chunk except the first, so that other work can use the thread; undefined: no wait. */
  readonly yieldTurn: () => Promise<void> | undefined;
}

/** How a result set is read. */
interface ReadMode {
  /** Whether rows are sent immediately. */
  readonly isLive: boolean;
  /** Whether all chunks are read even if fewer rows are wanted: an early stop could roll back changes. */
  readonly toEnd: boolean;
}

/**
 * The answer of an execution (docs/reference/calls.md#result): the first result set. It is sent as it arrives if no
 * statement follows, else it is stored in a spool until the script has succeeded. For a command, the answer can also be
 * every result set, each sent as it arrives, with an empty line between two.
 */
export interface Answer {
  /** Rows of the answer so far; null before the first result set. */
  readonly rows: number | null;
  /** Whether the next result set is a part of the answer. */
  readonly isOpen: boolean;
  /** Number of result sets that are not a part of the answer. */
  readonly others: number;
  /** Reads a result set of the answer. */
  take(columns: readonly Column[], chunks: AsyncIterable<Chunk>, mode: ReadMode): Promise<void>;
  /** Counts a result set that is not a part of the answer. */
  skip(): void;
  /** Whether the engine must write the answer to a file. */
  readonly wantsFile: boolean;
  /** Reads the first result set from a new file that `write` creates; `write` resolves with the number of rows. */
  takeFile(write: (file: string, maxRows: number) => Promise<number>): Promise<void>;
  /** Sends the stored rows and the end of the document. */
  finish(stats: Stats, findings: RunFindings): Promise<void>;
  close(): Promise<void>;
}

export function createAnswer(sink: Sink, options: AnswerOptions): Answer {
  const { createEncoder, sendsAll } = options;
  let encoder: Encoder | null = null;
  let spool: Spool | null = null;
  let file: string | null = null;
  let rows: number | null = null;
  let others = 0;
  const encode = async (
    target: Encoder,
    columns: readonly Column[],
    chunks: AsyncIterable<Chunk>,
  ): Promise<void> => {
    await target.start(columns);
    for await (const chunk of chunks) {
      const turn = rows !== null && rows > 0 ? options.yieldTurn() : undefined;
      if (turn) await turn;
      rows = (rows ?? 0) + chunk.rows;
      sink.countRows?.(rows);
      await target.chunk(chunk);
    }
  };
  return {
    get rows() {
      return rows;
    },
    get isOpen() {
      return sendsAll || rows === null;
    },
    get others() {
      return others;
    },
    wantsFile: createEncoder === null,
    async take(columns, chunks, { isLive, toEnd }) {
      if (createEncoder === null) throw new NoQueryError();
      const isFirst = rows === null;
      rows ??= 0;
      if (!(isLive || sendsAll)) spool = await openSpool(options.spoolDirectory, options.spoolBytes);
      if (!isFirst) await sink.write(EMPTY_LINE);
      encoder = createEncoder(spool ?? sink, options.encoder);
      await encode(encoder, columns, atMost(chunks, options.maxRows, toEnd));
      if (sendsAll) await encoder.end(options.readStats());
    },
    skip() {
      others += 1;
    },
    async takeFile(write) {
      file = path.join(options.spoolDirectory, `answer-${randomUUID()}`);
      rows = await write(file, options.maxRows);
    },
    async finish(stats, findings) {
      if (sendsAll && rows !== null) return;
      await spool?.release(sink);
      if (file) await sendFile(file, sink);
      encoder ??= createEncoder?.(sink, options.encoder) ?? null;
      await encoder?.end(stats, printFindings(findings));
    },
    async close() {
      await spool?.close();
      if (file) await rm(file, { force: true });
    },
  };
}

/** Separates two result sets. */
const EMPTY_LINE = Buffer.from('\n');

async function sendFile(file: string, sink: Sink): Promise<void> {
  for await (const block of createReadStream(file, { highWaterMark: 256 * 1024 })) await sink.write(block);
}

/** Yields the first `limit` rows. Then it ends the iteration, which stops the query, unless `toEnd` is set. */
async function* atMost(chunks: AsyncIterable<Chunk>, limit: number, toEnd: boolean): AsyncIterable<Chunk> {
  let remainingRows = limit;
  if (remainingRows <= 0 && !toEnd) return;
  for await (const chunk of chunks) {
    const rows = Math.min(chunk.rows, remainingRows);
    remainingRows -= rows;
    if (rows > 0) yield rows === chunk.rows ? chunk : { rows, vector: (column) => chunk.vector(column) };
    if (remainingRows <= 0 && !toEnd) return;
  }
}
