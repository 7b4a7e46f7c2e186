import { createReadStream, createWriteStream } from 'node:fs';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Compression } from './find-content.ts';
import { createDecompressor } from './inspect-file.ts';

/** A text file whose last lines are left out. */
interface Cutting {
  readonly path: string;
  readonly compression: Compression | null;
  readonly lines: number;
  /** The new file, 0600. */
  readonly target: string;
}

const LINE_FEED = 0x0a;

/** Copies a text file, decompressed, without its last lines. */
export async function cutFooter(
  { path, compression, lines, target }: Cutting,
  signal: AbortSignal,
): Promise<void> {
  const bytes = createReadStream(path, { highWaterMark: 1024 * 1024 });
  const plain = compression === null ? new PassThrough() : createDecompressor(compression);
  async function* holdBack(source: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
    let held: Buffer = Buffer.alloc(0);
    for await (const part of source) {
      held = held.length === 0 ? part : Buffer.concat([held, part]);
      // The last line may be complete or not: one more line end is kept.
      const end = findLastLines(held, lines + 1);
      if (end === 0) continue;
      yield held.subarray(0, end);
      held = held.subarray(end);
    }
    const isEnded = held.at(-1) === LINE_FEED;
    yield held.subarray(
      0,
      findLastLines(isEnded ? held : Buffer.concat([held, Buffer.of(LINE_FEED)]), lines),
    );
  }
  await pipeline(bytes, plain, holdBack, createWriteStream(target, { flags: 'wx', mode: 0o600 }), { signal });
}

/** The start of the last lines of a text that ends with a line end; 0 if it has fewer. */
function findLastLines(text: Buffer, lines: number): number {
  let at = text.length;
  for (let left = lines; left > 0 && at > 0; left--) {
    at = at < 2 ? 0 : text.lastIndexOf(LINE_FEED, at - 2) + 1;
  }
  return at;
}
