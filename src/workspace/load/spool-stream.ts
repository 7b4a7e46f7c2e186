import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { codeOf } from '../../invariants/narrow.ts';
import type { DataFile, DataStream } from '../api/data-input.ts';
import { loadErrors } from './errors.ts';
import { findContent, HEAD_SIZE } from './find-content.ts';

/** Error codes of the system for a file that cannot grow. */
const NO_ROOM = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/**
 * Reads a stream to its end into a new file (0600); errors about disk space name `folder`. Throws a ServiceError: 400
 * as soon as the first bytes show data that cannot be loaded, because the stream may be endless; 422 where it cannot be
 * read, or the disk is full.
 */
export async function spoolStream(
  { name, read }: DataStream,
  { file, folder }: { readonly file: string; readonly folder: string },
  signal: AbortSignal,
): Promise<DataFile> {
  let size = 0;
  async function* count(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    for await (const part of source) {
      size += part.length;
      yield part;
    }
  }
  try {
    const source = count(checkHead(name, read()));
    await pipeline(source, createWriteStream(file, { flags: 'wx', mode: 0o600 }), { signal });
  } catch (error) {
    if (NO_ROOM.includes(codeOf(error) ?? '')) throw loadErrors.noRoom(name, folder, size);
    if (!signal.aborted && error instanceof Error && 'syscall' in error) {
      throw loadErrors.unreadable(name, error.message);
    }
    throw error;
  }
  return { name, origin: name, path: file };
}

async function* checkHead(name: string, source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of source) {
    if (size < HEAD_SIZE) {
      parts.push(part);
      size += part.length;
      if (size >= HEAD_SIZE) refuseForeign(name, Buffer.concat(parts));
    }
    yield part;
  }
  if (size < HEAD_SIZE) refuseForeign(name, Buffer.concat(parts));
}

function refuseForeign(name: string, head: Uint8Array): void {
  const content = findContent(head);
  if (content.kind === 'foreign') throw loadErrors.foreign(name, content.what, content.advice);
}
