import type { Transform, TransformCallback } from 'node:stream';
import { constants, createGzip, ZstdCompress } from 'node:zlib';
import type { FastifyRequest } from 'fastify';

/** The content coding of a response. */
type Encoding = 'zstd' | 'gzip';

/** A stream that compresses a response. */
interface Passage {
  readonly stream: Transform;
  /** Flushes all bytes written so far. */
  flush(): void;
}

/** Results are long and repetitive, so a higher level gains little. */
const GZIP_LEVEL = 3;

/** The last block of a zstd frame, empty (RFC 8878, 3.1.1.2). */
const LAST_BLOCK = Buffer.from([1, 0, 0]);

/** The `Content-Encoding` that a request's `Accept-Encoding` prefers; null for none. */
export function chooseEncoding(request: FastifyRequest): Encoding | null {
  const encoding = request.accepts().encoding(['zstd', 'gzip', 'identity']);
  return encoding === 'zstd' || encoding === 'gzip' ? encoding : null;
}

/** Opens a compressing stream. */
export function openPassage(encoding: Encoding): Passage {
  switch (encoding) {
    case 'zstd': {
      const stream = new ZstdFrame();
      return { stream, flush: () => stream.flush() };
    }
    case 'gzip': {
      const stream = createGzip({ level: GZIP_LEVEL });
      return { stream, flush: () => stream.flush() };
    }
  }
}

/**
 * Compresses to exactly one zstd frame, because some clients (Python's httpx) read only one. Node's stream appends an
 * empty frame when it ends while a write is pending, and when the last bytes exactly fill its buffer. Here Node only
 * flushes, and this code writes the last block.
 */
class ZstdFrame extends ZstdCompress {
  #isEmpty = true;

  constructor() {
    super({ finishFlush: constants.ZSTD_e_flush });
  }

  override _transform(chunk: Buffer, encoding: BufferEncoding, done: TransformCallback): void {
    if (chunk.length > 0) this.#isEmpty = false;
    super._transform(chunk, encoding, done);
  }

  override _flush(done: TransformCallback): void {
    super._flush((error) => {
      // Without any bytes there is no open frame.
      if (!error && !this.#isEmpty) this.push(LAST_BLOCK);
      done(error);
    });
  }
}
