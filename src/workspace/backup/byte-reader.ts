import { archiveErrors } from './errors.ts';

/** Reads a stream in portions of any length; each method throws an ArchiveError where the stream ends too early. */
export interface ByteReader {
  exactly(length: number): Promise<Buffer>;
  /** Yields the next `length` bytes; the rest is skipped when the caller stops early. */
  take(length: number): AsyncIterable<Buffer>;
  /** Skips the rest of the last `take` and the next `length` bytes. */
  skip(length: number): Promise<void>;
  /** Reads to the end. */
  drain(): Promise<void>;
}

/** A reader of these chunks. */
export function createByteReader(input: AsyncIterable<Buffer>): ByteReader {
  const chunks = input[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  /** Unread bytes of the last `take`. */
  let open = 0;

  /** Reads at least one byte and at most `maxBytes`. */
  async function next(maxBytes: number): Promise<Buffer> {
    while (rest.length === 0) {
      const chunk = await chunks.next();
      if (chunk.done) throw archiveErrors.truncated();
      rest = chunk.value;
    }
    const part = rest.subarray(0, maxBytes);
    rest = rest.subarray(part.length);
    return part;
  }

  async function* readOpen(): AsyncGenerator<Buffer> {
    while (open > 0) {
      const part = await next(open);
      open -= part.length;
      yield part;
    }
  }

  return {
    take(length) {
      open = length;
      return readOpen();
    },
    async exactly(length) {
      const parts: Buffer[] = [];
      for (let missing = length; missing > 0; ) {
        const part = await next(missing);
        missing -= part.length;
        parts.push(part);
      }
      return Buffer.concat(parts);
    },
    async skip(length) {
      for (let missing = open + length; missing > 0; ) missing -= (await next(missing)).length;
      open = 0;
    },
    async drain() {
      while (!(await chunks.next()).done);
    },
  };
}
