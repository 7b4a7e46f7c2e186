import { createReadStream, createWriteStream } from 'node:fs';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { DataFile } from '../api/data-input.ts';
import { loadErrors } from './errors.ts';
import { createDecompressor, type Inspection } from './inspect-file.ts';

interface Transcoding extends Pick<Inspection, 'compression' | 'head'> {
  readonly encoding: string;
  /** The new file, 0600. */
  readonly target: string;
}

/** Converts a text file of another encoding to uncompressed UTF-8. Throws a ServiceError 422 for invalid bytes. */
export async function transcodeFile(
  file: DataFile,
  { encoding, compression, head, target }: Transcoding,
  signal: AbortSignal,
): Promise<DataFile> {
  const decoder = new TextDecoder(chooseByteOrder(encoding, head), { fatal: true });
  async function* decode(source: AsyncIterable<Uint8Array>): AsyncIterable<string> {
    for await (const part of source) yield decoder.decode(part, { stream: true });
    yield decoder.decode();
  }
  const bytes = createReadStream(file.path, { highWaterMark: 1024 * 1024 });
  const plain = compression === null ? new PassThrough() : createDecompressor(compression);
  try {
    await pipeline(bytes, plain, decode, createWriteStream(target, { flags: 'wx', mode: 0o600 }), { signal });
  } catch (error) {
    if (error instanceof TypeError) throw loadErrors.otherEncoding(file.name, encoding);
    throw error;
  }
  return { ...file, path: target };
}

/** The name `utf-16` means little-endian, unless the file has another byte order mark. */
function chooseByteOrder(encoding: string, head: Buffer): string {
  const isBig = /^utf-?16$/i.test(encoding) && head[0] === 0xfe && head[1] === 0xff;
  return isBig ? 'utf-16be' : encoding;
}
