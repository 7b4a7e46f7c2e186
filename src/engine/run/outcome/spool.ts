import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import path from 'node:path';
import type { Sink } from '../../result/columns/sink.ts';

const BLOCK = 256 * 1024;

/** Thrown when a stored result exceeds its limit in bytes. */
export class SpoolLimitError extends Error {}

/** Stores bytes in a temporary file until they can be sent; the file is unlinked, so a crash leaves nothing behind. */
export interface Spool extends Sink {
  /** Sends everything written so far to `sink`, and after that everything that is written. */
  release(sink: Sink): Promise<void>;
  close(): Promise<void>;
}

/** Opens an empty spool in `directory` for at most `limit` bytes; beyond it, `write` rejects with a SpoolLimitError. */
export async function openSpool(directory: string, limit: number): Promise<Spool> {
  const file = path.join(directory, `spool-${randomUUID()}`);
  const handle = await open(file, 'wx+', 0o600);
  await unlink(file);
  let size = 0;
  let released: Sink | null = null;
  return {
    async write(bytes) {
      if (released !== null) return released.write(bytes);
      if (size + bytes.length > limit) {
        throw new SpoolLimitError(
          `a result that is followed by other statements is limited to ${limit} bytes`,
        );
      }
      await writeAll(handle, bytes, size);
      size += bytes.length;
    },
    async release(sink) {
      released = sink;
      for (let at = 0; at < size; ) {
        const block = new Uint8Array(Math.min(BLOCK, size - at));
        const { bytesRead } = await handle.read(block, 0, block.length, at);
        if (bytesRead === 0) throw new Error('the spool ended early');
        await sink.write(block.subarray(0, bytesRead));
        at += bytesRead;
      }
    },
    close: () => handle.close(),
  };
}

async function writeAll(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}
