import type { Transform, TransformCallback } from 'node:stream';
import { constants, createGzip, ZstdCompress } from 'node:zlib';
import type { FastifyRequest } from 'fastify';

/** The encoding of an answer. */
type Encoding = 'zstd' | 'gzip';

/** A stream that encodes an answer. */
interface Passage {
  readonly stream: Transform;
  /** Sends what has been written so far. */
  flush(): void;
}

/** Results are long and repetitive: a higher level gains little. */
const GZIP_LEVEL = 3;

/** The last block of a zstd frame, which holds no bytes (RFC 8878, 3.1.1.2). */
const LAST_BLOCK = Buffer.from([1, 0, 0]);

/** The `Content-Encoding` that a request's `Accept-Encoding` prefers; null for none. */
export function chooseEncoding(request: FastifyRequest): Encoding | null {
  const encoding = request.accepts().encoding(['zstd', 'gzip', 'identity']);
  return encoding === 'zstd' || encoding === 'gzip' ? encoding : null;
}

/** Opens a stream that encodes. */
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
 * Compresses to exactly one zstd frame, which is all that some clients read (Python's httpx). Node's own stream appends
 * an empty frame when its end comes while a write waits, and when the last bytes just fill its buffer: both end the frame
 * twice. Here Node only flushes, which can be repeated, and the last block is written by hand.
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
      // Without any bytes there is no frame to end.
      if (!error && !this.#isEmpty) this.push(LAST_BLOCK);
      done(error);
    });
  }
}
