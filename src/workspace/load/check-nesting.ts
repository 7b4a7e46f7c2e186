import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { elementAt } from '../../invariants/must.ts';
import type { DataFile } from '../api/data-input.ts';
import type { Compression } from './find-content.ts';
import { createDecompressor } from './inspect-file.ts';

/** The maximum nesting of JSON arrays and objects: the engine's process crashes far above it. */
const MAX_LEVELS = 100;

/** The size of a read, in bytes. */
const PART = 1024 * 1024;

const [QUOTE, BACKSLASH, LINE_FEED] = [0x22, 0x5c, 0x0a];
/** `[` and `{`, and `]` and `}`, differ only in the bit `CURLY`. */
const [OPEN, CLOSE, CURLY] = [0x5b, 0x5d, 0x20];

/** Thrown for data that is nested too deeply to load. */
export class NestingError extends Error {}

/** Reads a JSON file to its end. Throws a NestingError. */
export async function checkNesting(
  { name, path }: DataFile,
  compression: Compression | null,
  signal: AbortSignal,
): Promise<void> {
  const scan = new Scan();
  const check = async (source: AsyncIterable<Buffer>) => {
    for await (const part of source) {
      scan.take(part);
      if (scan.deepest <= MAX_LEVELS) continue;
      const message = `${name} has JSON with more than ${MAX_LEVELS} levels, and nothing was loaded: flatten it first`;
      throw new NestingError(message);
    }
  };
  const bytes = createReadStream(path, { highWaterMark: PART });
  if (compression === null) await pipeline(bytes, check, { signal });
  else await pipeline(bytes, createDecompressor(compression), check, { signal });
}

/** Counts levels of JSON byte by byte; ignores brackets in strings. */
class Scan {
  deepest = 0;
  #level = 0;
  #isText = false;
  #isEscaped = false;

  take(part: Buffer): void {
    for (let at = 0; at < part.length; at++) {
      if (this.#isText) this.#takeText(elementAt(part, at));
      else this.#takeOther(elementAt(part, at));
    }
  }

  /** A JSON string ends at the latest with its line; a longer one is invalid JSON and may contain anything. */
  #takeText(byte: number): void {
    if (byte === LINE_FEED || (byte === QUOTE && !this.#isEscaped)) this.#isText = false;
    this.#isEscaped = byte === BACKSLASH && !this.#isEscaped;
  }

  #takeOther(byte: number): void {
    const bracket = byte & ~CURLY;
    if (byte === QUOTE) this.#isText = true;
    else if (bracket === OPEN) this.deepest = Math.max(this.deepest, ++this.#level);
    else if (bracket === CLOSE) this.#level = Math.max(this.#level - 1, 0);
  }
}
