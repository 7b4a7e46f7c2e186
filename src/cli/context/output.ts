import { write as writeFd } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isatty, WriteStream } from 'node:tty';
import { promisify } from 'node:util';
import { guardTerminal } from '../../workspace/api/printable.ts';

const writeAsync = promisify(writeFd);

/** One of the process's output streams. Writes never block the thread, so that Ctrl-C is always heard. */
export interface Output {
  readonly isTerminal: boolean;
  /** Columns of the terminal; 80 when it is none. */
  readonly width: number;
  /** Whether the reader has gone away (a broken pipe). */
  readonly isBroken: boolean;
  /** Takes bytes or text. */
  write(data: Uint8Array | string): Promise<void>;
  /** Waits until everything has been written. */
  flush(): Promise<void>;
}

/** How an output is written. */
interface OutputOptions {
  /** `write` waits for the write before it only, so that one is under way while the next is prepared. */
  readonly overlap: boolean;
  /** Whether a write that fails is a failure of the command; what is only told must not stop work half-way. */
  readonly isVital: boolean;
  /** Whether all of it is for people. What goes to a terminal is in any case. */
  readonly isForPeople: boolean;
}

/**
 * The output with this file descriptor. Node's own streams are left alone: they make a pipe non-blocking, or block the
 * thread.
 */
export function openOutput(fd: number, { overlap, isVital, isForPeople }: OutputOptions): Output {
  const prepare = isForPeople || isatty(fd) ? createGuard() : toBytes;
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
  return {
    isTerminal: isatty(fd),
    get width() {
      return (isatty(fd) && new WriteStream(fd).columns) || 80;
    },
    get isBroken() {
      return isBroken;
    },
    async write(data) {
      const before = last;
      last = append(before, prepare(data));
      // Whoever waits for the next write or for flush sees the failure; nobody else need.
      last.catch(() => {});
      await (overlap ? before : last);
    },
    flush: () => last,
  };
}

function toBytes(data: Uint8Array | string): Uint8Array {
  return typeof data === 'string' ? Buffer.from(data) : data;
}

/** What callers have stored or sent shall not act on the terminal that shows it; parts may end within a character. */
function createGuard(): typeof toBytes {
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
