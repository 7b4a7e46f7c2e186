import type { Readable } from 'node:stream';
import { END_OF_STREAM } from '../../engine/result/arrow/message.ts';
import type { Column } from '../../engine/result/columns/column.ts';
import type { Sink } from '../../engine/result/columns/sink.ts';
import { type Clock, formatNanos } from '../../engine/run/outcome/clock.ts';
import {
  type FrameHead,
  FrameReader,
  type RecordedStatement,
  type ResultKind,
} from '../../engine/run/record/result-frames.ts';
import { executionErrors } from '../contract/errors.ts';
import type { ResultFile, ResultLimits } from './result-files.ts';

/** The result of one statement. */
interface RecordedResult {
  readonly statement: RecordedStatement;
  /** `none` also while it is not known. */
  readonly kind: ResultKind;
  readonly columns: readonly Column[];
  /** Rows so far, or changed rows; null for `none`. */
  readonly rows: number | null;
  /** Bytes of its Arrow stream that can be read. */
  readonly bytes: number;
  readonly isComplete: boolean;
  /** Whether rows are missing: a limit was reached, or the statement failed after its first rows. */
  readonly isTruncated: boolean;
  readonly startedAt: string;
  readonly endedAt: string | null;
}

/** The results of all statements of one execution, readable while they are written. */
export interface RecordedResults {
  /** Changes with each change of the results. */
  readonly version: number;
  list(): readonly RecordedResult[];
  /** Statements that ran and are not in the list. */
  readonly omitted: number;
  /** Rows of all result sets. */
  readonly rows: number;
  /** Reads the bytes of result `index` from `start` to before `end`; rejects when they have been deleted. */
  read(index: number, start: number, end: number): Promise<Readable>;
  /** Resolves after the next change, when `signal` is aborted, and when the results are deleted. */
  whenChanged(signal: AbortSignal): Promise<void>;
}

/** The writing side of recorded results; it takes the frames of a ResultRecorder. */
export interface ResultStore extends RecordedResults, Sink {
  /** Ends the last result after the last frame; the bytes of an incomplete batch are dropped. */
  end(): Promise<void>;
  /** Releases everyone who waits for a change. */
  noteChange(): void;
}

/** A result set may take this share of the free room, and leaves the rest to later ones. */
const SHARE = 1 / 2;

type Entry = { -readonly [Key in keyof RecordedResult]: RecordedResult[Key] } & {
  /** Its offset in the file, and its maximum length without the end marker. */
  start: number;
  limit: number;
};

/** Stores results one after another in `file`, each as an Arrow stream with at most `limits.result` bytes. */
export function createResultStore(file: ResultFile, limits: ResultLimits, clock: Clock): ResultStore {
  return new Store(file, limits, clock);
}

class Store implements ResultStore {
  readonly #file: ResultFile;
  readonly #limits: ResultLimits;
  readonly #clock: Clock;
  readonly #frames = new FrameReader();
  readonly #entries: Entry[] = [];
  /** Rows of the batch whose bytes arrive; null between batches, and for a batch that is dropped. */
  #batchRows: number | null = null;
  /** The last write. */
  #writing: Promise<void> = Promise.resolve();
  #isEnded = false;
  #changed = Promise.withResolvers<void>();
  version = 0;
  omitted = 0;
  rows = 0;

  constructor(file: ResultFile, limits: ResultLimits, clock: Clock) {
    this.#file = file;
    this.#limits = limits;
    this.#clock = clock;
  }

  list(): readonly RecordedResult[] {
    return this.#entries;
  }

  read(index: number, start: number, end: number): Promise<Readable> {
    const own = this.#entries[index];
    if (own === undefined) throw executionErrors.resultRemoved();
    return this.#file.read(own.start + start, own.start + end);
  }

  async whenChanged(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const left = Promise.withResolvers<void>();
    const leave = () => left.resolve();
    signal.addEventListener('abort', leave, { once: true });
    await Promise.race([this.#changed.promise, left.promise]);
    signal.removeEventListener('abort', leave);
  }

  noteChange(): void {
    this.version += 1;
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }

  write(bytes: Uint8Array): Promise<void> {
    const written = this.#writing.then(() => this.#take(bytes));
    // The error surfaces to the caller of this write.
    this.#writing = written.catch(() => undefined);
    return written;
  }

  async end(): Promise<void> {
    await this.#writing;
    this.#isEnded = true;
    const last = this.#entries.at(-1);
    if (last === undefined || last.endedAt !== null) return;
    const ended = { isTruncated: last.kind === 'rows', endedAt: formatNanos(this.#clock()) };
    // The file is removed or the disk is full; the outcome of the execution says so.
    await this.#complete(last, ended).catch(() => undefined);
    last.isComplete = true;
    this.noteChange();
  }

  async #take(bytes: Uint8Array): Promise<void> {
    if (this.#isEnded) return;
    for (const part of this.#frames.read(bytes)) {
      if (part.kind === 'body') await this.#takeBody(part.bytes, part.isLast);
      else await this.#takeHead(part.head, part.bodyBytes);
    }
  }

  async #takeHead(head: FrameHead, bodyBytes: number): Promise<void> {
    if (head.kind === 'begin') this.#entries.push(createEntry(head.statement, head.startedAt));
    else if (head.kind === 'omitted') this.omitted = head.count;
    else await this.#change(this.#current, head, bodyBytes);
    if (head.kind !== 'batch') this.noteChange();
  }

  async #change(
    own: Entry,
    head: Extract<FrameHead, { kind: 'columns' | 'batch' | 'end' }>,
    bodyBytes: number,
  ): Promise<void> {
    switch (head.kind) {
      case 'columns':
        own.kind = 'rows';
        own.columns = head.columns;
        own.rows = 0;
        own.start = this.#file.bytes;
        own.limit = Math.min(this.#limits.result, Math.floor(this.#file.room * SHARE));
        this.#accept(own, 0, bodyBytes);
        break;
      case 'batch':
        this.#accept(own, head.rows, bodyBytes);
        break;
      case 'end':
        own.kind = head.result;
        if (head.result === 'count') own.rows = head.changed;
        await this.#complete(own, head);
    }
  }

  get #current(): Entry {
    const own = this.#entries.at(-1);
    if (own === undefined) throw executionErrors.invalidFrame();
    return own;
  }

  /** Decides whether a message of an Arrow stream is stored; after one that is not, no other is. */
  #accept(own: Entry, rows: number, bytes: number): void {
    if (bytes === 0 || own.bytes + bytes > own.limit || bytes > this.#file.room) own.isTruncated = true;
    this.#batchRows = own.isTruncated ? null : rows;
  }

  async #takeBody(bytes: Uint8Array, isLast: boolean): Promise<void> {
    if (this.#batchRows === null) return;
    await this.#file.append(bytes);
    if (!isLast) return;
    const own = this.#current;
    own.bytes = this.#file.bytes - own.start;
    own.rows = (own.rows ?? 0) + this.#batchRows;
    this.rows += this.#batchRows;
    this.#batchRows = null;
    this.noteChange();
  }

  async #complete(
    own: Entry,
    { isTruncated, endedAt }: { readonly isTruncated: boolean; readonly endedAt: string },
  ): Promise<void> {
    own.isTruncated ||= isTruncated;
    own.endedAt = endedAt;
    if (own.bytes > 0) {
      await this.#file.cut(own.start + own.bytes);
      await this.#file.append(END_OF_STREAM);
      own.bytes += END_OF_STREAM.length;
    }
    own.isComplete = true;
  }
}

function createEntry(statement: RecordedStatement, startedAt: string): Entry {
  return {
    statement,
    kind: 'none',
    columns: [],
    rows: null,
    bytes: 0,
    isComplete: false,
    isTruncated: false,
    startedAt,
    endedAt: null,
    start: 0,
    limit: 0,
  };
}
