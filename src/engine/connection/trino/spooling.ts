import type { OutgoingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { DatabaseError } from '../contract/connection.ts';
import { createBroken } from './json-bytes.ts';
import type { Rows, Segment } from './page.ts';
import type { TrinoServer } from './server.ts';

const decompress = promisify(zstdDecompress);

/** The encodings that this side reads, the best one first. */
export const ENCODINGS = 'json+zstd,json';
/** Maximum bytes of one part of a result after decompression; servers make parts of 16 MB. */
const MAX_BYTES = 512 * 1024 * 1024;

/** Reads the rows of one part, and tells the server that it may delete it. Rejects with a DatabaseError. */
export async function loadSegment(
  server: TrinoServer,
  encoding: string,
  segment: Segment,
  signal: AbortSignal,
): Promise<Rows> {
  const content = await fetchSegment(server, segment, signal);
  const bytes = await decode(content, encoding, segment.metadata.uncompressedSize !== undefined);
  // Between the brackets of the list of rows.
  return { bytes, start: 1, end: bytes.length - 1 };
}

async function fetchSegment(server: TrinoServer, segment: Segment, signal: AbortSignal): Promise<Buffer> {
  if (segment.type === 'inline') return Buffer.from(segment.data, 'base64');
  const headers: OutgoingHttpHeaders = {};
  for (const [name, values] of Object.entries(segment.headers ?? {})) headers[name] = [...values];
  const content = await server.download(segment.uri, headers, signal);
  // A part that is not acknowledged is deleted when it expires.
  if (segment.ackUri !== undefined) server.download(segment.ackUri, headers, signal).catch(() => {});
  return content;
}

async function decode(content: Buffer, encoding: string, isCompressed: boolean): Promise<Buffer> {
  if (!isCompressed || encoding === 'json') return content;
  if (encoding !== 'json+zstd') {
    throw new DatabaseError('unreachable', `The server sends rows as ${encoding}, which was not asked for.`);
  }
  try {
    return await decompress(content, { maxOutputLength: MAX_BYTES });
  } catch (cause) {
    throw createBroken(cause);
  }
}
