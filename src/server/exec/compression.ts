import type { Transform } from 'node:stream';
import { createGzip, createZstdCompress } from 'node:zlib';
import type { FastifyRequest } from 'fastify';

/** What an answer is encoded with. */
type Encoding = 'zstd' | 'gzip';

/** A stream through which an answer passes on its way. */
interface Passage {
  readonly stream: Transform;
  /** Lets go of what has been written. */
  flush(): void;
}

/** Results are long and repeat themselves: more effort gains little. */
const GZIP_LEVEL = 3;

/** The `Content-Encoding` that a request's `Accept-Encoding` likes best; null for none. */
export function chooseEncoding(request: FastifyRequest): Encoding | null {
  const encoding = request.accepts().encoding(['zstd', 'gzip', 'identity']);
  return encoding === 'zstd' || encoding === 'gzip' ? encoding : null;
}

/** Opens a passage that encodes. */
export function openPassage(encoding: Encoding): Passage {
  switch (encoding) {
    case 'zstd': {
      const stream = createZstdCompress();
      return { stream, flush: () => stream.flush() };
    }
    case 'gzip': {
      const stream = createGzip({ level: GZIP_LEVEL });
      return { stream, flush: () => stream.flush() };
    }
  }
}
