import type { OutgoingHttpHeaders } from 'node:http';
import { createZstdDecompress } from 'node:zlib';
import { DatabaseError } from '../contract/connection.ts';
import { free } from './blocks.ts';
import { createBroken } from './json-bytes.ts';
import type { Rows, Segment } from './page.ts';
import type { TrinoServer } from './server.ts';

/** The encodings that this side reads, the best one first. */
export const ENCODINGS = 'json+zstd,json';
/** Maximum bytes of one part of a result after decompression; servers make parts of 16 MB. */
const MAX_BYTES = 512 * 1024 * 1024;
/** Bytes of a block of memory for rows. */
const MIN_BLOCK = 128 * 1024;
const MAX_BLOCK = 1024 * 1024;
const CLOSE = 0x5d;

/** One part of a result: its bytes are fetched before its turn, and decompressed piece by piece when their rows are read. */
export class SegmentLoad {
  readonly #server: TrinoServer;
  readonly #encoding: string;
  readonly #segment: Segment;
  readonly #signal: AbortSignal;
  readonly #rows: AsyncGenerator<Rows>;
  #content: Promise<Buffer> | null = null;

  constructor(server: TrinoServer, encoding: string, segment: Segment, signal: AbortSignal) {
    this.#server = server;
    this.#encoding = encoding;
    this.#segment = segment;
    this.#signal = signal;
    this.#rows = this.#read();
  }

  /** Fetches the bytes unless that has started, and tells the server that it may delete them. */
  fetch(): void {
    // The error surfaces to `next`.
    this.#fetch().catch(() => {});
  }

  /** The next rows; the last ones are not partial. Rejects with a DatabaseError, or the error of the connection. */
  async next(): Promise<Rows> {
    const { value } = await this.#rows.next();
    return value;
  }

  async *#read(): AsyncGenerator<Rows> {
    const content = await this.#fetch();
    const { uncompressedSize } = this.#segment.metadata;
    if (uncompressedSize === undefined || this.#encoding === 'json') {
      yield toLastRows(content, 1);
    } else if (this.#encoding === 'json+zstd') {
      yield* decompress(content, Number(uncompressedSize));
    } else {
      const message = `The server sends rows as ${this.#encoding}, which was not asked for.`;
      throw new DatabaseError('unreachable', message);
    }
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

/** Decompresses a part, and frees it. `size` are the bytes that the server announces. Rejects with a DatabaseError. */
async function* decompress(content: Buffer, size: number): AsyncGenerator<Rows> {
  // The last byte of a block stays free, else another block is started.
  const chunkSize = Math.max(MIN_BLOCK, Math.min(size + 1, MAX_BLOCK)) || MAX_BLOCK;
  const stream = createZstdDecompress({ chunkSize });
  stream.end(content);
  let [start, total] = [1, 0];
  let piece: Buffer | null = null;
  try {
    for await (const next of stream as AsyncIterable<Buffer>) {
      total += next.length;
      if (total > MAX_BYTES) throw new Error(`a part is longer than ${MAX_BYTES} bytes`);
      if (piece !== null) {
        yield toPartialRows(piece, start);
        start = 0;
      }
      piece = next;
    }
  } catch (cause) {
    throw createBroken(cause);
  }
  free(content);
  yield toLastRows(piece ?? Buffer.alloc(0), start);
}

function toPartialRows(bytes: Buffer, start: number): Rows {
  const rows = { bytes, start, end: bytes.length, isPartial: true };
  // Another piece can follow in the same block.
  return bytes.length < bytes.buffer.byteLength ? rows : { ...rows, free: () => free(bytes) };
}

/** The rows before the bracket that ends those of a part. Throws a DatabaseError. */
function toLastRows(bytes: Buffer, start: number): Rows {
  if (bytes.at(-1) !== CLOSE) throw createBroken();
  return { bytes, start, end: bytes.length - 1, free: () => free(bytes) };
}
