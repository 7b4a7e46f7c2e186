import { elementAt } from '../../../invariants/must.ts';
/** How deep a body's lists and objects may be nested, and how many values it may have. */
export const MAX_DEPTH = 2_000;
export const MAX_VALUES = 100_000;

/** Looks at the bytes of a JSON text as they arrive, before anything is made of them. */
export interface JsonScan {
  /** What is too much about the text so far; null for nothing. */
  scan(chunk: Uint8Array): 'depth' | 'values' | null;
  /** How many values it has begun so far. */
  readonly values: number;
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c] as const;
/** By how much a byte outside of texts goes deeper, and how many values it begins. */
const DEEPER = new Int8Array(256);
const BEGUN = new Int8Array(256);
for (const open of '[{') DEEPER[open.charCodeAt(0)] = 1;
for (const close of ']}') DEEPER[close.charCodeAt(0)] = -1;
for (const mark of '[{,') BEGUN[mark.charCodeAt(0)] = 1;

/** A scan of a new text, which need not be well-formed; in one pass, of which it remembers three numbers. */
export function createJsonScan(): JsonScan {
  let isText = false;
  let isEscaped = false;
  let depth = 0;
  let values = 0;

  /** The place behind the end of a text that is open at `from`. */
  function skipText(chunk: Uint8Array, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      if (isEscaped) {
        isEscaped = false;
        continue;
      }
      const byte = chunk[at];
      if (byte === BACKSLASH) isEscaped = true;
      else if (byte === QUOTE) {
        isText = false;
        return at + 1;
      }
    }
    return chunk.length;
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
        const byte = elementAt(chunk, at);
        isText = byte === QUOTE;
        depth += elementAt(DEEPER, byte);
        values += elementAt(BEGUN, byte);
        if (depth > MAX_DEPTH) return 'depth';
        if (values > MAX_VALUES) return 'values';
        at += 1;
      }
      return null;
    },
  };
}
