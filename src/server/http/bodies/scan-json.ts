/**
 * Maximum nesting depth of a body's lists and objects, and maximum values in it.
 *
 * @internal
 */
export const MAX_DEPTH = 2_000;
export const MAX_VALUES = 100_000;

/** Scans the bytes of a JSON document while they arrive, before it is parsed. */
export interface JsonScan {
  /** The limit that the document exceeds so far; null for none. */
  scan(chunk: Buffer): 'depth' | 'values' | null;
  /** Number of values seen so far. */
  readonly values: number;
}

/** Bytes of a string that are read one by one before its end is searched for: a search costs about as much. */
const BYTES_BEFORE_SEARCH = 64;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c] as const;
const [BRACKET, BRACKET_END, BRACE, BRACE_END] = [0x5b, 0x5d, 0x7b, 0x7d] as const;

/** Starts the scan of a document, which can be malformed: one pass with five state variables. */
export function createJsonScan(): JsonScan {
  const string = new StringScan();
  let depth = 0;
  let values = 0;

  function lookAt(byte: number | undefined): void {
    switch (byte) {
      case QUOTE:
        string.open();
        break;
      case BRACKET:
      case BRACE:
        depth += 1;
        values += 1;
        break;
      case BRACKET_END:
      case BRACE_END:
        depth -= 1;
        break;
      case COMMA:
        values += 1;
        break;
    }
  }

  return {
    get values() {
      return values;
    },
    scan(chunk) {
      for (let at = 0; at < chunk.length; ) {
        if (string.isOpen) {
          at = string.skip(chunk, at);
          continue;
        }
        lookAt(chunk[at]);
        at += 1;
        if (depth > MAX_DEPTH) return 'depth';
        if (values > MAX_VALUES) return 'values';
      }
      return null;
    },
  };
}

/** Finds the end of a string, in any number of chunks. */
class StringScan {
  isOpen = false;
  /** Whether the next byte is escaped. */
  #isEscaped = false;

  open(): void {
    this.isOpen = true;
  }

  /** The position after the end of the open string, or the end of the chunk. */
  skip(chunk: Buffer, from: number): number {
    let at = from;
    while (this.isOpen && at < chunk.length) {
      at = this.#read(chunk, at, Math.min(at + BYTES_BEFORE_SEARCH, chunk.length));
      if (this.isOpen) at = this.#findQuote(chunk, at);
    }
    return at;
  }

  /** Reads the bytes up to `end`; returns the position after them, or after the end of the string. */
  #read(chunk: Buffer, from: number, end: number): number {
    let at = this.#isEscaped ? from + 1 : from;
    this.#isEscaped = false;
    for (; at < end; at += 1) {
      const byte = chunk[at];
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) {
        this.isOpen = false;
        return at + 1;
      }
    }
    this.#isEscaped = at > end;
    return end;
  }

  /** The position of the next quote, or the end of the chunk; finds out whether it is escaped. */
  #findQuote(chunk: Buffer, from: number): number {
    const position = chunk.indexOf(QUOTE, from);
    const quote = position < 0 ? chunk.length : position;
    let start = quote;
    while (start > from && chunk[start - 1] === BACKSLASH) start -= 1;
    const isOdd = (quote - start) % 2 === 1;
    // The byte at `from` can be escaped by the one before it.
    this.#isEscaped = start === from ? isOdd !== this.#isEscaped : isOdd;
    return quote;
  }
}
