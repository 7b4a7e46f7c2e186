import type { Readable } from 'node:stream';
import { END_OF_STREAM } from '../../engine/result/arrow/message.ts';
import type { Column } from '../../engine/result/columns/column.ts';
import { formatNanos, type NanoClock } from '../../engine/run/outcome/clock.ts';
import {
  type FrameHead,
  FrameReader,
  type RecordedStatement,
  type ResultKind,
} from '../../engine/run/record/result-frames.ts';
import { executionErrors } from '../contract/errors.ts';
import type { ExecutionSink } from '../contract/outlet.ts';
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
  /** Why its stream is not exact Arrow: a value has more digits than its type. */
  readonly rangeError: string | null;
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
  /** The place of result `index` on disk; null if it is not there, or not a complete result set. */
  locate(index: number): StoredResult | null;
  /** Resolves after the next change, when `signal` is aborted, and when the results are deleted. */
  whenChanged(signal: AbortSignal): Promise<void>;
}

/** A complete result set on disk. */
export interface StoredResult {
  readonly columns: readonly Column[];
  /** Its Arrow stream. */
  readonly stream: FileRange;
  /** Record batches with the texts of its nested columns, without an end. */
  readonly texts: FileRange;
  /** Bytes of its largest message. */
  readonly largest: number;
}

/** Bytes of a file, from `start` to before `end`. */
export interface FileRange {
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

/** The writing side of recorded results; it takes the frames of a ResultRecorder. */
export interface ResultStore extends RecordedResults, ExecutionSink {
  /** Ends the last result after the last frame; the bytes of an incomplete batch are dropped. */
  end(): Promise<void>;
  /** Releases everyone who waits for a change. */
  noteChange(): void;
}

/** A result set may take this share of the free room, and leaves the rest to later ones. */
const SHARE = 1 / 2;

type Entry = { -readonly [Key in keyof RecordedResult]: RecordedResult[Key] } & {
  /** Its offset in the file, and the maximum bytes of its batches and texts. */
  start: number;
  limit: number;
  /** Offset and bytes of its texts in their file. */
  textStart: number;
  textBytes: number;
  largest: number;
};

/** The files of a store; `texts` has the texts of nested columns. */
export interface StoreFiles {
  readonly file: ResultFile;
  readonly texts: ResultFile;
}

/** Stores results one after another in `file`, each as an Arrow stream with at most `limits.result` bytes. */
export function createResultStore(files: StoreFiles, limits: ResultLimits, clock: NanoClock): ResultStore {
  return new Store(files, limits, clock);
}

/** A message of a result: one of its stream, or one with texts. */
interface Incoming {
  readonly kind: 'batch' | 'texts';
  readonly rows: number;
  readonly rangeError?: string | null;
}

class Store implements ResultStore {
  readonly #file: ResultFile;
  readonly #texts: ResultFile;
  readonly #limits: ResultLimits;
  readonly #clock: NanoClock;
  readonly #frames = new FrameReader();
  readonly #entries: Entry[] = [];
  /** The message whose bytes arrive; null between messages, and for a message that is dropped. */
  #incoming: Incoming | null = null;
  /** The last write. */
  #writing: Promise<void> = Promise.resolve();
  #isEnded = false;
  #changed = Promise.withResolvers<void>();
  version = 0;
  omitted = 0;
  rows = 0;

  constructor({ file, texts }: StoreFiles, limits: ResultLimits, clock: NanoClock) {
    this.#file = file;
    this.#texts = texts;
    this.#limits = limits;
    this.#clock = clock;
  }

  list(): readonly RecordedResult[] {
    return this.#entries;
  }

  read(index: number, start: number, end: number): Promise<Readable> {
    const entry = this.#entries[index];
    if (entry === undefined) throw executionErrors.resultRemoved();
    return this.#file.read(entry.start + start, entry.start + end);
  }

  locate(index: number): StoredResult | null {
    const entry = this.#entries[index];
    if (entry === undefined || entry.kind !== 'rows' || !entry.isComplete || entry.bytes === 0) return null;
    const { columns, start, bytes, textStart, textBytes, largest } = entry;
    return {
      columns,
      stream: { file: this.#file.path, start, end: start + bytes },
      texts: { file: this.#texts.path, start: textStart, end: textStart + textBytes },
      largest,
    };
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

  noteTarget(): void {
    this.noteChange();
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
    if (head.kind !== 'batch' && head.kind !== 'texts') this.noteChange();
  }

  async #change(
    entry: Entry,
    head: Exclude<FrameHead, { kind: 'begin' | 'omitted' }>,
    bodyBytes: number,
  ): Promise<void> {
    switch (head.kind) {
      case 'columns':
        entry.kind = 'rows';
        entry.columns = head.columns;
        entry.rows = 0;
        entry.start = this.#file.bytes;
        entry.limit = Math.min(this.#limits.result, Math.floor(this.#file.room * SHARE));
        entry.textStart = this.#texts.bytes;
        this.#accept(entry, { kind: 'batch', rows: 0 }, bodyBytes);
        break;
      case 'batch':
      case 'texts':
        this.#accept(entry, head, bodyBytes);
        break;
      case 'end':
        entry.kind = head.result;
        if (head.result === 'count') entry.rows = head.changed;
        await this.#complete(entry, head);
    }
  }

  get #current(): Entry {
    const entry = this.#entries.at(-1);
    if (entry === undefined) throw executionErrors.invalidFrame();
    return entry;
  }

  /** Decides whether a message of an Arrow stream is stored; after one that is not, no other is. */
  #accept(entry: Entry, incoming: Incoming, bytes: number): void {
    const sum = entry.bytes + entry.textBytes + bytes;
    if (bytes === 0 || sum > entry.limit || bytes > this.#file.room) entry.isTruncated = true;
    entry.largest = Math.max(entry.largest, bytes);
    this.#incoming = entry.isTruncated ? null : incoming;
  }

  async #takeBody(bytes: Uint8Array, isLast: boolean): Promise<void> {
    if (this.#incoming === null) return;
    const { kind, rows, rangeError = null } = this.#incoming;
    await (kind === 'texts' ? this.#texts : this.#file).append(bytes);
    if (!isLast) return;
    this.#incoming = null;
    const entry = this.#current;
    entry.textBytes = this.#texts.bytes - entry.textStart;
    if (kind === 'texts') return;
    entry.bytes = this.#file.bytes - entry.start;
    entry.rows = (entry.rows ?? 0) + rows;
    entry.rangeError ??= rangeError;
    this.rows += rows;
    this.noteChange();
  }

  async #complete(
    entry: Entry,
    { isTruncated, endedAt }: { readonly isTruncated: boolean; readonly endedAt: string },
  ): Promise<void> {
    entry.isTruncated ||= isTruncated;
    entry.endedAt = endedAt;
    if (entry.bytes > 0) {
      await this.#file.cut(entry.start + entry.bytes);
      await this.#file.append(END_OF_STREAM);
      entry.bytes += END_OF_STREAM.length;
    }
    entry.isComplete = true;
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
    rangeError: null,
    start: 0,
    limit: 0,
    textStart: 0,
    textBytes: 0,
    largest: 0,
  };
}
