import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { toError } from '../../invariants/narrow.ts';
import { loadErrors } from './errors.ts';
import { type Compression, type DetectedContent, findContent, HEAD_SIZE } from './find-content.ts';

/** The detected content of a file. */
export interface InspectedFile {
  /** Null for an uncompressed file. */
  readonly compression: Compression | null;
  /** The content; of a compressed file, after decompression. */
  readonly content: DetectedContent;
  /** The first bytes of the content. */
  readonly head: Buffer;
}

/** The size of a read, in bytes. */
const PART = 1024 * 1024;

/** Creates a decompressing stream. */
export function createDecompressor(compression: Compression) {
  const options = { chunkSize: PART };
  return compression === 'gzip' ? createGunzip(options) : createZstdDecompress(options);
}

/**
 * Detects the content of a file. A compressed file is read to its end, because the database does not notice a truncated
 * one. Throws a ServiceError 422 for a damaged or unreadable file.
 */
export async function inspectFile(
  { name, path }: { readonly name: string; readonly path: string },
  signal: AbortSignal,
): Promise<InspectedFile> {
  const head = await readHead(name, path);
  const content = findContent(head);
  if (content.kind !== 'compressed') return { compression: null, content, head };
  const { compression } = content;
  const inner = await decompress(name, path, compression, signal);
  return { compression, content: findContent(inner), head: inner };
}

async function readHead(name: string, path: string): Promise<Buffer> {
  let file: FileHandle | undefined;
  try {
    file = await open(path);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_SIZE), 0, HEAD_SIZE, 0);
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    throw loadErrors.unreadable(name, toError(error).message);
  } finally {
    await file?.close();
  }
}

async function decompress(
  name: string,
  path: string,
  compression: Compression,
  signal: AbortSignal,
): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  const keepHead = async (source: AsyncIterable<Buffer>) => {
    for await (const part of source) {
      if (size < HEAD_SIZE) parts.push(part.subarray(0, HEAD_SIZE - size));
      size += part.length;
    }
  };
  const bytes = createReadStream(path, { highWaterMark: PART });
  try {
    await pipeline(bytes, createDecompressor(compression), keepHead, { signal });
  } catch (error) {
    if (signal.aborted) throw error;
    throw loadErrors.damaged(name, toError(error).message);
  }
  return Buffer.concat(parts);
}
