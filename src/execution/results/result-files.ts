import { rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { Sink } from '../../engine/result/columns/sink.ts';
import { executionErrors } from '../contract/errors.ts';

/** Maximum sizes of stored results, in bytes. */
export interface ResultLimits {
  /** One result. */
  readonly result: number;
  /** All results of one user. */
  readonly perOwner: number;
  readonly total: number;
}

/** A result that is written to a file and read from it. */
export interface ResultFile extends Sink {
  /** Its path; the file exists if it has bytes. */
  readonly path: string;
  readonly bytes: number;
  /** The error of the last write; null if it succeeded. */
  readonly failure: Error | null;
  /** Bytes that the limits of the user and of all results still allow. */
  readonly room: number;
  /** Writes bytes without regard to limits; the caller respects `room`. */
  append(part: Uint8Array): Promise<void>;
  /** Removes the bytes after the first `bytes`. */
  cut(bytes: number): Promise<void>;
  /** Reads the bytes written so far, or those from `start` to before `end`; rejects if the file was removed. */
  read(start?: number, end?: number): Promise<Readable>;
  /** Declares that nothing more will be written. */
  end(): Promise<void>;
  /** Removes the file; readers that have opened it can finish. */
  remove(): void;
}

/** Stores each result in its own file (mode 0600) in a private folder. */
export interface ResultFiles {
  readonly limits: ResultLimits;
  /**
   * Creates a result; the file is created with its first bytes. Writing rejects with a ResultLimitError or a file
   * system error.
   */
  create(id: string, owner: string): ResultFile;
}

/** Stores results in an existing, empty folder. */
export function createResultFiles(folder: string, limits: ResultLimits): ResultFiles {
  const byOwner = new Map<string, number>();
  let total = 0;

  function createQuota(owner: string): Quota {
    const findOwnerBytes = () => byOwner.get(owner) ?? 0;
    return {
      add(bytes) {
        const sum = findOwnerBytes() + bytes;
        if (sum === 0) byOwner.delete(owner);
        else byOwner.set(owner, sum);
        total += bytes;
      },
      check(size, more) {
        if (size + more > limits.result) throw executionErrors.resultTooLarge(limits.result);
        if (findOwnerBytes() + more > limits.perOwner)
          throw executionErrors.resultsOfUserTooLarge(limits.perOwner);
        if (total + more > limits.total) throw executionErrors.resultsTooLarge(limits.total);
      },
      findRoom: () => Math.max(0, Math.min(limits.perOwner - findOwnerBytes(), limits.total - total)),
    };
  }

  return { limits, create: (id, owner) => createFile(path.join(folder, id), createQuota(owner)) };
}

/** The limits that one result shares with others. */
interface Quota {
  /** Counts bytes that are written, or removed. */
  add(bytes: number): void;
  /** Throws a ResultLimitError when a result of `size` bytes may not have `more`. */
  check(size: number, more: number): void;
  /** Bytes that the limits of the user and of all results still allow. */
  findRoom(): number;
}

function createFile(file: string, quota: Quota): ResultFile {
  let opening: Promise<FileHandle> | null = null;
  let bytes = 0;
  let failure: Error | null = null;
  let isRemoved = false;

  function count(more: number): void {
    bytes += more;
    quota.add(more);
  }

  async function append(part: Uint8Array): Promise<void> {
    if (isRemoved) throw executionErrors.resultRemoved();
    const start = bytes;
    count(part.length);
    opening ??= open(file, 'wx', 0o600);
    await writeAll(await opening, part, start);
    // The file was created after `remove`.
    if (isRemoved) rmSync(file, { force: true });
  }

  async function write(part: Uint8Array): Promise<void> {
    if (!isRemoved) quota.check(bytes, part.length);
    await append(part);
  }

  function noteFailure(error: Error): never {
    failure = error;
    throw error;
  }

  return {
    path: file,
    get bytes() {
      return bytes;
    },
    get failure() {
      return failure;
    },
    get room() {
      return quota.findRoom();
    },
    write: (part) => write(part).catch(noteFailure),
    append: (part) => append(part).catch(noteFailure),
    async cut(length) {
      if (isRemoved || length >= bytes) return;
      count(length - bytes);
      await (await opening)?.truncate(length);
    },
    async read(start = 0, end = bytes) {
      if (isRemoved) throw executionErrors.resultRemoved();
      if (end <= start) return Readable.from([]);
      return (await open(file, 'r')).createReadStream({ start, end: end - 1 });
    },
    async end() {
      // A file that could not be opened has failed a write before.
      const handle = await opening?.catch(() => null);
      opening = null;
      await handle?.close();
    },
    remove() {
      if (isRemoved) return;
      isRemoved = true;
      quota.add(-bytes);
      rmSync(file, { force: true });
    },
  };
}

async function writeAll(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}
