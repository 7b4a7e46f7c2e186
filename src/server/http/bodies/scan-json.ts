/** Maximum nesting depth of a body's lists and objects, and maximum values in it. */
export const MAX_DEPTH = 2_000;
export const MAX_VALUES = 100_000;

/** Scans the bytes of a JSON document while they arrive, before it is parsed. */
export interface JsonScan {
  /** The limit that the document exceeds so far; null for none. */
  scan(chunk: Uint8Array): 'depth' | 'values' | null;
  /** Number of values seen so far. */
  readonly values: number;
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c] as const;
const [BRACKET, BRACKET_END, BRACE, BRACE_END] = [0x5b, 0x5d, 0x7b, 0x7d] as const;

/** Starts the scan of a document, which can be malformed: one pass with four state variables. */
export function createJsonScan(): JsonScan {
  let isText = false;
  let isEscaped = false;
  let depth = 0;
  let values = 0;

  function lookAt(byte: number | undefined): void {
    switch (byte) {
      case QUOTE:
        isText = true;
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

  /** The position after the end of a string that is open at `from`. */
  function skipText(chunk: Uint8Array, from: number): number {
    const { length } = chunk;
    let at = isEscaped ? from + 1 : from;
    for (; at < length; at += 1) {
      const byte = chunk[at];
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) {
        isText = false;
        isEscaped = false;
        return at + 1;
      }
    }
    // A backslash at the end escapes the first character of the next chunk.
    isEscaped = at > length;
    return length;
  }

  return {
    get values() {
      return values;
    },
    scan(chunk) {
      for (let at = 0; at < chunk.length; ) {
        if (isText) {
          at = skipText(chunk, at);
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
