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
  readonly bytes: number;
  /** The error of the last write; null if it succeeded. */
  readonly failure: Error | null;
  /** Reads the bytes written so far; rejects if the file was removed. */
  read(): Promise<Readable>;
  /** Declares that nothing more will be written. */
  end(): Promise<void>;
  /** Removes the file; readers that have opened it can finish. */
  remove(): void;
}

/** Stores each result in its own file (mode 0600) in a private folder. */
export interface ResultFiles {
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
        // The file was created after `remove`.
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
