import { PassThrough, type Transform } from 'node:stream';
import { createGzip, createZstdCompress } from 'node:zlib';
import type { FastifyRequest } from 'fastify';

/** A stream through which an answer passes on its way. */
export interface Passage {
  readonly stream: Transform;
  /** The `Content-Encoding`; null for none. */
  readonly encoding: 'zstd' | 'gzip' | null;
  /** Lets go of what has been written. */
  flush(): void;
}

/** Results are long and repeat themselves: more effort gains little. */
const GZIP_LEVEL = 3;

/** Opens the passage that a request's `Accept-Encoding` likes best; without one, bytes pass as they are. */
export function openPassage(request: FastifyRequest): Passage {
  switch (request.accepts().encoding(['zstd', 'gzip', 'identity'])) {
    case 'zstd': {
      const stream = createZstdCompress();
      return { stream, encoding: 'zstd', flush: () => stream.flush() };
    }
    case 'gzip': {
      const stream = createGzip({ level: GZIP_LEVEL });
      return { stream, encoding: 'gzip', flush: () => stream.flush() };
    }
    default:
      return { stream: new PassThrough(), encoding: null, flush: () => undefined };
  }
}
