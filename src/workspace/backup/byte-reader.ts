import { archiveFaults } from './errors.ts';

/** Reads a stream in portions of one's own; each throws an ArchiveFault where the stream ends before them. */
export interface ByteReader {
  exactly(length: number): Promise<Buffer>;
  /** The next bytes as they come; a caller who leaves early has them skipped. */
  take(length: number): AsyncIterable<Buffer>;
  /** Skips what is left of the last `take`, and so many bytes more. */
  skip(length: number): Promise<void>;
  /** Reads to the end. */
  drain(): Promise<void>;
}

/** A reader of these chunks. */
export function createByteReader(input: AsyncIterable<Buffer>): ByteReader {
  const chunks = input[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  /** Bytes of the last `take` that nobody has read. */
  let open = 0;

  /** At least one byte and at most `most`. */
  async function next(most: number): Promise<Buffer> {
    while (rest.length === 0) {
      const chunk = await chunks.next();
      if (chunk.done) throw archiveFaults.truncated();
      rest = chunk.value;
    }
    const part = rest.subarray(0, most);
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
