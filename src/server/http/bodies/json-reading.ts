import { NumberTooLongError, parseExactJson } from '../../../text/decimal.ts';

/** How a route wants its body parsed; plain data, so that it can be sent to another thread. */
export interface JsonOptions {
  /** Whether integers that a double cannot represent become bigints. */
  readonly isExact?: boolean | undefined;
}

/** The value of a body, or the error of its parser; plain data. The value of an empty body is undefined. */
export type JsonReading =
  | { readonly value: unknown; readonly error?: undefined }
  | { readonly error: 'notUtf8' }
  | { readonly error: 'digits'; readonly field: string }
  | { readonly error: 'malformed'; readonly reason: string };

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Parses a JSON body (docs/reference/http-api.md#formats). Of duplicate keys the last one wins. Never throws. */
export function readJson(bytes: Uint8Array, { isExact = false }: JsonOptions): JsonReading {
  if (bytes.length === 0) return { value: undefined };
  const text = decode(bytes);
  if (text === null) return { error: 'notUtf8' };
  try {
    return { value: isExact ? parseExactJson(text) : JSON.parse(text) };
  } catch (error) {
    if (error instanceof NumberTooLongError) return { error: 'digits', field: error.field };
    return { error: 'malformed', reason: describe(error as Error) };
  }
}

function decode(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

/** Keeps only the position: V8 also quotes the source around the error, which can contain a secret. */
function describe(error: Error): string {
  // A reviver recurses as deep as the values are nested.
  if (error instanceof RangeError) return 'it is nested too deeply';
  const { message } = error;
  const position = /at position \d+(?: \(line \d+ column \d+\))?/.exec(message)?.[0];
  if (position !== undefined) return `unexpected text ${position}`;
  return /end of JSON/i.test(message) ? 'it ends too early' : 'unexpected text';
}
