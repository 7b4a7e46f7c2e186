import { createReadStream } from 'node:fs';
import type { CsvLayout } from '../../engine/run/load/read-files.ts';
import { elementAt } from '../../invariants/must.ts';
import type { Compression } from './find-content.ts';
import { createDecompressor } from './inspect-file.ts';

/** A file whose bytes are scanned. */
export interface FileToScan {
  readonly path: string;
  /** Undefined or `uncompressed`: none. */
  readonly compression: Compression | 'uncompressed' | undefined;
}

const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d];
/** The size of a read, in bytes. */
const PART = 1024 * 1024;

/** Calls `take` with the parts of a file, until it returns true. */
async function scanFile(
  { path, compression }: FileToScan,
  take: (part: Buffer) => boolean,
  signal: AbortSignal,
): Promise<void> {
  const bytes = createReadStream(path, { highWaterMark: PART });
  const isPlain = compression === undefined || compression === 'uncompressed';
  const plain = isPlain ? bytes : bytes.pipe(createDecompressor(compression));
  bytes.once('error', (error) => plain.destroy(error));
  try {
    for await (const part of plain) {
      signal.throwIfAborted();
      if (take(part)) return;
    }
  } finally {
    bytes.destroy();
  }
}

/** The number of the line where a row of csv starts; both are counted from 1. */
export async function findRowLine(
  file: FileToScan,
  layout: CsvLayout,
  row: number,
  signal: AbortSignal,
): Promise<number> {
  const scan = new RowScan(layout, row);
  await scanFile(file, (part) => scan.take(part), signal);
  return scan.line;
}

/** Counts rows and lines byte by byte; line ends in quotes do not end a row, and blank lines are not rows. */
class RowScan {
  line = 1;
  #left: number;
  #skipped: number;
  #isQuoted = false;
  #isBlank = true;
  #isComment = false;
  #last = 0;
  readonly #quote: number | undefined;
  readonly #comment: number | undefined;

  constructor({ skipped, hasHeader, quote, comment }: CsvLayout, row: number) {
    this.#skipped = skipped;
    this.#left = row + (hasHeader ? 1 : 0);
    this.#quote = quote?.charCodeAt(0);
    this.#comment = comment?.charCodeAt(0);
  }

  /** Returns true when the row was found. */
  take(part: Buffer): boolean {
    for (let at = 0; at < part.length; at++) {
      const byte = elementAt(part, at);
      if (byte === LINE_FEED || byte === CARRIAGE_RETURN) this.#endLine(byte);
      else if (this.#takeText(byte)) return true;
      this.#last = byte;
    }
    return false;
  }

  #endLine(byte: number): void {
    if (byte === LINE_FEED && this.#last === CARRIAGE_RETURN) return;
    this.line += 1;
    if (this.#skipped > 0) this.#skipped -= 1;
    if (this.#isQuoted) return;
    this.#isBlank = true;
    this.#isComment = false;
  }

  #takeText(byte: number): boolean {
    if (this.#skipped > 0 || this.#isComment) return false;
    if (this.#isBlank) {
      if (byte === this.#comment) {
        this.#isComment = true;
        return false;
      }
      this.#isBlank = false;
      this.#left -= 1;
      if (this.#left === 0) return true;
    }
    if (byte === this.#quote) this.#isQuoted = !this.#isQuoted;
    return false;
  }
}

/** The number of the first line that is longer than a number of bytes, counted from 1; null without one. */
export async function findLongLine(
  file: FileToScan,
  limit: number,
  signal: AbortSignal,
): Promise<number | null> {
  let [line, length] = [1, 0];
  const take = (part: Buffer) => {
    let start = 0;
    for (let at = part.indexOf(LINE_FEED); at >= 0; at = part.indexOf(LINE_FEED, start)) {
      length += at - start;
      if (length > limit) return true;
      [line, length, start] = [line + 1, 0, at + 1];
    }
    length += part.length - start;
    return length > limit;
  };
  await scanFile(file, take, signal);
  return length > limit ? line : null;
}

/** The number of lines of a file, or a number above `most`. */
export async function countLines(file: FileToScan, most: number, signal: AbortSignal): Promise<number> {
  let [ends, last] = [0, LINE_FEED];
  const take = (part: Buffer) => {
    for (let at = part.indexOf(LINE_FEED); at >= 0; at = part.indexOf(LINE_FEED, at + 1)) ends += 1;
    last = part.at(-1) ?? last;
    return ends > most;
  };
  await scanFile(file, take, signal);
  return last === LINE_FEED ? ends : ends + 1;
}

const QUOTE = 0x22;

/** Whether a file has a quote (") anywhere. */
export async function hasQuote(file: FileToScan, signal: AbortSignal): Promise<boolean> {
  let isFound = false;
  const take = (part: Buffer) => {
    isFound = part.includes(QUOTE);
    return isFound;
  };
  await scanFile(file, take, signal);
  return isFound;
}
