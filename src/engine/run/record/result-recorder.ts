import type { StatementResult } from '../../connection/contract/connection.ts';
import { Batches, joinSmall } from '../../result/arrow/batches.ts';
import { createNestedTexts, type NestedTexts } from '../../result/arrow/nested-texts.ts';
import { createSchemaMessage } from '../../result/arrow/schema.ts';
import type { Chunk, Column } from '../../result/columns/column.ts';
import type { Sink } from '../../result/columns/sink.ts';
import type { Statement } from '../../script/evaluate/steps.ts';
import { findPosition, getLineMap } from '../../text/line-map.ts';
import { formatNanos, type NanoClock } from '../outcome/clock.ts';
import { findCommentTitle } from './comment-title.ts';
import { type FrameHead, printFrameHead, type RecordedStatement, type ResultKind } from './result-frames.ts';

/** Maximum recorded statements. */
const MAX_STATEMENTS = 1_000;
/** Statements after this number are recorded only if they return rows. */
const ALL_STATEMENTS = 900;
/** How long rows wait for a full batch, in milliseconds. */
const MAX_AGE_MS = 300;
/** Maximum bytes of texts and columns, after which no statement is recorded. */
const MAX_HEAD_BYTES = 1024 ** 2;

interface RecorderOptions {
  /** Maximum bytes of each result set as Arrow. */
  readonly maxBytes: number;
  readonly clock: NanoClock;
  /** Awaited before each chunk except the first, so that other work can use the thread; undefined: no wait. */
  readonly yieldTurn: () => Promise<void> | undefined;
}

/** How a statement is run. */
interface RecordMode {
  /** Whether all chunks are read, also those that are not stored: an early stop could roll back changes. */
  readonly toEnd: boolean;
  /** Whether a statement without rows reports the number of changed rows. */
  readonly counts: boolean;
}

/** Sends the result of every statement of an execution, as frames. */
export interface ResultRecorder {
  /** Rows of all result sets; null before the first one. */
  readonly rows: number | null;
  /** Runs a statement and sends its result. Rejects like `run`. */
  record(statement: Statement, mode: RecordMode, run: () => Promise<StatementResult>): Promise<void>;
  /** Sends the number of statements that are not recorded. */
  finish(): Promise<void>;
}

/** Creates a recorder that writes frames to `sink`. */
export function createResultRecorder(sink: Sink, options: RecorderOptions): ResultRecorder {
  return new Recorder(sink, options);
}

class Recorder implements ResultRecorder {
  readonly #sink: Sink;
  readonly #options: RecorderOptions;
  /** Recorded statements. */
  #count = 0;
  #omitted = 0;
  #headBytes = 0;
  rows: number | null = null;

  constructor(sink: Sink, options: RecorderOptions) {
    this.#sink = sink;
    this.#options = options;
  }

  async record(statement: Statement, mode: RecordMode, run: () => Promise<StatementResult>): Promise<void> {
    const startedAt = this.#now();
    const begin = () => this.#begin(describeStatement(statement), startedAt);
    if (this.#hasRoom(ALL_STATEMENTS)) {
      await begin();
      await this.#take(await run(), mode);
      return;
    }
    const result = await run();
    if (result.kind === 'rows' && this.#hasRoom(MAX_STATEMENTS)) {
      await begin();
      await this.#take(result, mode);
      return;
    }
    this.#omitted += 1;
    if (result.kind === 'rows') for await (const _ of result.chunks) if (!mode.toEnd) return;
  }

  async #take(result: StatementResult, mode: RecordMode): Promise<void> {
    if (result.kind === 'rows') await this.#sendRows(result, mode);
    else if (mode.counts) await this.#end('count', result.rowsChanged);
    else await this.#end('none', null);
  }

  async finish(): Promise<void> {
    if (this.#omitted > 0) await this.#send({ kind: 'omitted', count: this.#omitted });
  }

  /** Whether another statement may be recorded, of at most `max`. */
  #hasRoom(max: number): boolean {
    return this.#count < max && this.#headBytes < MAX_HEAD_BYTES;
  }

  #begin(statement: RecordedStatement, startedAt: string): Promise<void> {
    this.#count += 1;
    return this.#send({ kind: 'begin', statement, startedAt });
  }

  #end(result: ResultKind, changed: number | null, isTruncated = false): Promise<void> {
    return this.#send({ kind: 'end', result, changed, isTruncated, endedAt: this.#now() });
  }

  async #sendRows(
    { columns, chunks }: Extract<StatementResult, { kind: 'rows' }>,
    { toEnd }: RecordMode,
  ): Promise<void> {
    const { maxBytes, yieldTurn } = this.#options;
    const rows = new RowsSender(columns, maxBytes, (head, body) => this.#send(head, body));
    await rows.begin();
    this.rows ??= 0;
    let isFirst = true;
    for await (const chunk of waitAtMost(chunks, rows)) {
      const turn = isFirst ? undefined : yieldTurn();
      if (turn) await turn;
      isFirst = false;
      this.rows += chunk.rows;
      await rows.append(chunk);
      if (rows.isFull && !toEnd) break;
    }
    await rows.flush();
    await this.#end('rows', null, rows.isFull);
  }

  async #send(head: FrameHead, body: readonly Uint8Array[] = []): Promise<void> {
    const length = body.reduce((sum, part) => sum + part.length, 0);
    const frameStart = printFrameHead(head, length);
    if (head.kind === 'begin' || head.kind === 'columns') this.#headBytes += frameStart.length;
    for (const bytes of joinSmall([frameStart, ...body])) {
      const taken = this.#sink.write(bytes);
      if (taken) await taken;
    }
  }

  #now(): string {
    return formatNanos(this.#options.clock());
  }
}

/** The chunks of a result. While the next one is not there, rows that have waited long enough are sent. */
async function* waitAtMost(chunks: AsyncIterable<Chunk>, sender: RowsSender): AsyncGenerator<Chunk, void> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = iterator.next();
      const { age } = sender;
      if (age !== null && (await isLate(next, MAX_AGE_MS - age))) await sender.flush();
      const { done, value } = await next;
      if (done === true) return;
      yield value;
    }
  } finally {
    await iterator.return?.();
  }
}

/** Whether a promise is not settled after `ms` milliseconds. */
async function isLate(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<true>();
  const timer = setTimeout(() => resolve(true), Math.max(0, ms));
  try {
    return (await Promise.race([promise, late])) === true;
  } finally {
    clearTimeout(timer);
  }
}

type Send = (head: FrameHead, body: readonly Uint8Array[]) => Promise<void>;

/** Sends one result set of at most `maxBytes`; the batch that exceeds them and all later ones are dropped. */
class RowsSender {
  readonly #columns: readonly Column[];
  readonly #maxBytes: number;
  readonly #send: Send;
  readonly #batches: Batches;
  readonly #texts: NestedTexts | null;
  readonly #textBatches: Batches;
  #bytes = 0;
  /** When the oldest row that is not sent arrived; null without such rows. */
  #since: number | null = null;
  /** The first one in the rows that wait. */
  #rangeError: string | null = null;
  isFull = false;

  constructor(columns: readonly Column[], maxBytes: number, send: Send) {
    this.#columns = columns;
    this.#maxBytes = maxBytes;
    this.#send = send;
    this.#batches = new Batches(
      columns,
      (parts, rows) => this.#sendBatch('batch', parts, rows),
      ({ message }) => {
        this.#rangeError ??= message;
      },
    );
    this.#texts = createNestedTexts(columns);
    this.#textBatches = new Batches(this.#texts?.columns ?? [], (parts, rows) =>
      this.#sendBatch('texts', parts, rows),
    );
  }

  async begin(): Promise<void> {
    const schema = createSchemaMessage(this.#columns);
    this.#add([schema]);
    await this.#send({ kind: 'columns', columns: this.#columns }, this.isFull ? [] : [schema]);
  }

  async append(chunk: Chunk): Promise<void> {
    if (this.isFull) return;
    if (this.#texts !== null) {
      await this.#textBatches.append(this.#texts.toChunk(chunk));
      await this.#textBatches.flush();
    }
    await this.#batches.append(chunk);
    if (this.#batches.rows > 0) this.#since ??= performance.now();
  }

  /** How long rows have waited for a full batch, in milliseconds; null if none wait. */
  get age(): number | null {
    return this.#since === null ? null : performance.now() - this.#since;
  }

  async flush(): Promise<void> {
    if (!this.isFull) await this.#batches.flush();
  }

  async #sendBatch(kind: 'batch' | 'texts', parts: readonly Uint8Array[], rows: number): Promise<void> {
    const rangeError = this.#rangeError;
    if (kind === 'batch') {
      this.#since = null;
      this.#rangeError = null;
    }
    this.#add(parts);
    if (!this.isFull) await this.#send(kind === 'batch' ? { kind, rows, rangeError } : { kind, rows }, parts);
  }

  #add(parts: readonly Uint8Array[]): void {
    this.#bytes += parts.reduce((sum, { length }) => sum + length, 0);
    this.isFull ||= this.#bytes > this.#maxBytes;
  }
}

/** Maximum characters of a statement's text. */
const MAX_TEXT = 500;
/** The names of relations that replace calls of blocks. */
const RELATION = /\bquern_[\da-f]{8}_\d+\b/;

/**
 * Describes a statement for its author: the SQL with the values of its expressions, or the source if the SQL contains
 * names that the author does not know.
 */
function describeStatement({ sql, start, findOrigin }: Statement): RecordedStatement {
  const text = sql.slice(start, start + MAX_TEXT);
  const first = findOrigin({ start, end: sql.length });
  if (first === null) return { text, title: null, file: null, line: null, column: null };
  const { source } = first.rendered;
  const title = findCommentTitle(source.text, first.span.start) ?? (first.block || null);
  const location = { title, file: source.name, ...findPosition(getLineMap(source), first.span.start) };
  const last = findOrigin({ start: Math.max(start, sql.length - 1), end: sql.length });
  const isOneSource = last?.rendered.source === source && last.span.end > first.span.start;
  if (!RELATION.test(text) || !isOneSource) return { text, ...location };
  return { text: source.text.slice(first.span.start, last.span.end).slice(0, MAX_TEXT), ...location };
}
