import { rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { Sink } from '../../engine/result/columns/sink.ts';
import { executionErrors } from '../contract/errors.ts';

/** Bytes that results may take which are kept in files. */
export interface ResultLimits {
  /** One of them. */
  readonly result: number;
  /** All of one user. */
  readonly perOwner: number;
  readonly total: number;
}

/** One result on its way into a file, and out of it again. */
export interface ResultFile extends Sink {
  readonly bytes: number;
  /** Why the last write was refused; null when none was. */
  readonly failure: Error | null;
  /** What has been written; rejects when it is removed. */
  read(): Promise<Readable>;
  /** Says that nothing more is written. */
  end(): Promise<void>;
  /** Removes it; what is being read can be read to its end. */
  remove(): void;
}

/** Results in files of their own (0600) in a private folder. */
export interface ResultFiles {
  /** A new one, which has no file until there are bytes. Writing rejects with a ResultLimitError, or as the disk does. */
  create(id: string, owner: string): ResultFile;
}

/** Results in a folder that is there and empty. */
export function createResultFiles(folder: string, limits: ResultLimits): ResultFiles {
  const byOwner = new Map<string, number>();
  let total = 0;

  function add(owner: string, bytes: number): void {
    const sum = (byOwner.get(owner) ?? 0) + bytes;
    if (sum === 0) byOwner.delete(owner);
    else byOwner.set(owner, sum);
    total += bytes;
  }

  function checkRoom(owner: string, own: number, more: number): void {
    if (own + more > limits.result) throw executionErrors.resultTooLarge(limits.result);
    if ((byOwner.get(owner) ?? 0) + more > limits.perOwner) {
      throw executionErrors.resultsOfUserTooLarge(limits.perOwner);
    }
    if (total + more > limits.total) throw executionErrors.resultsTooLarge(limits.total);
  }

  return {
    create(id, owner) {
      const file = path.join(folder, id);
      let handle: FileHandle | null = null;
      let bytes = 0;
      let failure: Error | null = null;
      let isRemoved = false;

      async function append(part: Uint8Array): Promise<void> {
        if (isRemoved) throw executionErrors.resultRemoved();
        checkRoom(owner, bytes, part.length);
        bytes += part.length;
        add(owner, part.length);
        handle ??= await open(file, 'wx', 0o600);
        await handle.appendFile(part);
        // It had no name yet, or no file, when it was removed.
        if (isRemoved) rmSync(file, { force: true });
      }

      return {
        get bytes() {
          return bytes;
        },
        get failure() {
          return failure;
        },
        write: (part) =>
          append(part).catch((error: Error) => {
            failure = error;
            throw error;
          }),
        async read() {
          if (isRemoved) throw executionErrors.resultRemoved();
          if (bytes === 0) return Readable.from([]);
          return (await open(file, 'r')).createReadStream();
        },
        async end() {
          await handle?.close();
          handle = null;
        },
        remove() {
          if (isRemoved) return;
          isRemoved = true;
          add(owner, -bytes);
          rmSync(file, { force: true });
        },
      };
    },
  };
}
