import { parseExactIntegers } from '../../../workspace/runs/parse-exact-integers.ts';

/** What the routes that read a body want of it; plain data, which goes to another thread as well. */
export interface JsonOptions {
  /** Whether integers that a double cannot hold become bigints. */
  readonly isExact?: boolean | undefined;
}

/** The value of a body, or why it has none; plain data. Undefined is the value of an empty body. */
export type JsonReading =
  | { readonly value: unknown; readonly fault?: undefined }
  | { readonly fault: 'notUtf8' }
  | { readonly fault: 'malformed'; readonly reason: string };

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads a JSON body (interface 1). Of a repeated key the last one counts. Never throws. */
export function readJson(bytes: Uint8Array, { isExact = false }: JsonOptions): JsonReading {
  if (bytes.length === 0) return { value: undefined };
  const text = decode(bytes);
  if (text === null) return { fault: 'notUtf8' };
  try {
    return { value: JSON.parse(text, isExact ? parseExactIntegers : undefined) };
  } catch (error) {
    return { fault: 'malformed', reason: describe(error as Error) };
  }
}

function decode(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

/** V8 quotes the text around the fault, which may be a secret: only where it is helps. */
function describe(error: Error): string {
  // Whoever revives values goes down as deep as they are nested.
  if (error instanceof RangeError) return 'it is nested too deeply';
  const { message } = error;
  const place = /at position \d+(?: \(line \d+ column \d+\))?/.exec(message)?.[0];
  if (place !== undefined) return `unexpected text ${place}`;
  return /end of JSON/i.test(message) ? 'it ends too early' : 'unexpected text';
}
