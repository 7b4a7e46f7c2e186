import type { OutgoingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { DatabaseError } from '../contract/connection.ts';
import { createBroken } from './json-bytes.ts';
import type { Rows, Segment } from './page.ts';
import type { TrinoServer } from './server.ts';

const decompressZstd = promisify(zstdDecompress);

/** The encodings that this side reads, the best one first. */
export const ENCODINGS = 'json+zstd,json';
/** Maximum bytes of one part of a result after decompression; servers make parts of 16 MB. */
const MAX_BYTES = 512 * 1024 * 1024;
/** Bytes of a block of memory for a part. */
const MIN_BLOCK = 16 * 1024;
const MAX_BLOCK = 64 * 1024 * 1024;

/** One part of a result: its bytes are fetched before its turn, and its rows take memory when it is next. */
export class SegmentLoad {
  readonly #server: TrinoServer;
  readonly #encoding: string;
  readonly #segment: Segment;
  readonly #signal: AbortSignal;
  #content: Promise<Buffer> | null = null;

  constructor(server: TrinoServer, encoding: string, segment: Segment, signal: AbortSignal) {
    this.#server = server;
    this.#encoding = encoding;
    this.#segment = segment;
    this.#signal = signal;
  }

  /** Fetches the bytes unless that has started, and tells the server that it may delete them. */
  fetch(): void {
    // The error surfaces to `decode`.
    this.#fetch().catch(() => {});
  }

  /** Rejects with a DatabaseError, or the error of the connection. */
  async decode(): Promise<Rows> {
    const content = await this.#fetch();
    const { uncompressedSize } = this.#segment.metadata;
    if (uncompressedSize === undefined || this.#encoding === 'json') return toRows(content);
    const bytes = await decompress(content, this.#encoding, Number(uncompressedSize));
    if (this.#segment.type === 'spooled') free(content);
    return { ...toRows(bytes), free: () => free(bytes) };
  }

  #fetch(): Promise<Buffer> {
    this.#content ??= fetchSegment(this.#server, this.#segment, this.#signal);
    return this.#content;
  }
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

/** The rows between the brackets of their list. */
function toRows(bytes: Buffer): Rows {
  return { bytes, start: 1, end: bytes.length - 1 };
}

/** `size` are the bytes that the server announces. The result shares its memory with nothing. */
async function decompress(content: Buffer, encoding: string, size: number): Promise<Buffer> {
  if (encoding !== 'json+zstd') {
    throw new DatabaseError('unreachable', `The server sends rows as ${encoding}, which was not asked for.`);
  }
  try {
    // A block of another size would be copied at the end. The last byte stays free, else another block is started.
    const chunkSize = Math.max(MIN_BLOCK, Math.min(size + 1, MAX_BLOCK)) || MIN_BLOCK;
    return await decompressZstd(content, { chunkSize, maxOutputLength: MAX_BYTES });
  } catch (cause) {
    throw createBroken(cause);
  }
}

/** Frees the memory of bytes that share it with nothing; Node.js shares a pool among small ones. */
function free({ buffer }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength > Buffer.poolSize) buffer.transfer(0);
}
