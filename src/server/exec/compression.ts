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

/** The encoding that a request's `Accept-Encoding` likes best. */
export function chooseEncoding(request: FastifyRequest): Passage['encoding'] {
  const encoding = request.accepts().encoding(['zstd', 'gzip', 'identity']);
  return encoding === 'zstd' || encoding === 'gzip' ? encoding : null;
}

/** Opens a passage that encodes; without an encoding, bytes pass as they are. */
export function openPassage(encoding: Passage['encoding']): Passage {
  switch (encoding) {
    case 'zstd': {
      const stream = createZstdCompress();
      return { stream, encoding, flush: () => stream.flush() };
    }
    case 'gzip': {
      const stream = createGzip({ level: GZIP_LEVEL });
      return { stream, encoding, flush: () => stream.flush() };
    }
    case null:
      return { stream: new PassThrough(), encoding, flush: () => undefined };
  }
}
