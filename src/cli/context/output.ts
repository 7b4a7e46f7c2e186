import { write as writeFd } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isatty, WriteStream } from 'node:tty';
import { promisify } from 'node:util';
import { guardTerminal } from '../../text/printable.ts';

const writeAsync = promisify(writeFd);

/** An output stream of the process. Writes never block the thread, so that Ctrl-C always works. */
export interface Output {
  readonly isTerminal: boolean;
  /** Columns of the terminal; 80 without one. */
  readonly width: number;
  /** Lines of the terminal; 24 without one. */
  readonly height: number;
  /** Whether the reader has closed the pipe. */
  readonly isBroken: boolean;
  /** Writes bytes or text; the caller may change the bytes after the promise has resolved. */
  write(data: Uint8Array | string): Promise<void>;
  /** Waits until everything has been written. */
  flush(): Promise<void>;
  /** Marks a failed write as reported, so that `flush` does not fail again. */
  forgetFailure(): void;
}

/** Options of an output. */
interface OutputOptions {
  /** `write` waits only for the previous write, so that the caller prepares the next part meanwhile. */
  readonly overlap: boolean;
  /** Whether a failed write fails the command. A failed notice does not stop the work. */
  readonly isVital: boolean;
  /** Whether all output is for people, as output to a terminal always is. */
  readonly isForPeople: boolean;
}

/**
 * The output of a file descriptor. Node's own streams are not used: they make a pipe non-blocking, or block the
 * thread.
 */
export function openOutput(fd: number, { overlap, isVital, isForPeople }: OutputOptions): Output {
  const prepare = isForPeople || isatty(fd) ? createControlFilter() : toBytes;
  const copies = new Copies();
  let last: Promise<void> = Promise.resolve();
  let isBroken = false;
  const append = async (before: Promise<void>, bytes: Uint8Array) => {
    await before;
    try {
      await writeAll(fd, bytes);
    } catch (error) {
      isBroken ||= codeOf(error) === 'EPIPE';
      if (isVital) throw error;
    }
  };
  const writeCopy = async (before: Promise<void>, data: Uint8Array) => {
    const copy = copies.take(data);
    await append(before, copy.subarray(0, data.length));
    copies.give(copy);
  };
  return {
    isTerminal: isatty(fd),
    get width() {
      return (isatty(fd) && new WriteStream(fd).columns) || 80;
    },
    get height() {
      return (isatty(fd) && new WriteStream(fd).rows) || 24;
    },
    get isBroken() {
      return isBroken;
    },
    async write(data) {
      const before = last;
      const bytes = prepare(data);
      last = overlap && bytes === data ? writeCopy(before, bytes) : append(before, bytes);
      // The next write or flush reports the failure.
      last.catch(() => {});
      await (overlap ? before : last);
    },
    flush: () => last,
    forgetFailure() {
      last = last.catch(() => {});
    },
  };
}

/** Copies, at most, that are kept to be used again, and the bytes of each. */
const COPIES = 2;
const MAX_COPY_BYTES = 1024 ** 2;

/** Memory for copies of bytes, which is used again. */
class Copies {
  readonly #free: Buffer[] = [];

  /** Returns memory that starts with these bytes. */
  take(bytes: Uint8Array): Buffer {
    const free = this.#free.pop();
    const copy =
      free !== undefined && free.length >= bytes.length ? free : Buffer.allocUnsafeSlow(bytes.length);
    copy.set(bytes);
    return copy;
  }

  give(copy: Buffer): void {
    if (this.#free.length < COPIES && copy.length <= MAX_COPY_BYTES) this.#free.push(copy);
  }
}

function toBytes(data: Uint8Array | string): Uint8Array {
  return typeof data === 'string' ? Buffer.from(data) : data;
}

/** Removes control sequences, so that stored values cannot act on the terminal; a part may end within a character. */
export function createControlFilter(): typeof toBytes {
  const decoder = new TextDecoder();
  return (data) => {
    return Buffer.from(
      guardTerminal(typeof data === 'string' ? data : decoder.decode(data, { stream: true })),
    );
  };
}

async function writeAll(fd: number, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    try {
      done += (await writeAsync(fd, bytes, done, bytes.length - done)).bytesWritten;
    } catch (error) {
      if (codeOf(error) !== 'EAGAIN') throw error;
      await sleep(5);
    }
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
