import { serverErrors } from '../errors.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The value of a JSON body (interface 1); undefined for an empty one, which clients send with a JSON content type, too.
 * Of a repeated key the last one counts. `revive` is asked about every value. Throws 400.
 */
export function parseJsonBody(bytes: Buffer, revive?: Parameters<typeof JSON.parse>[1]): unknown {
  if (bytes.length === 0) return undefined;
  const text = decode(bytes);
  try {
    return JSON.parse(text, revive);
  } catch (error) {
    throw serverErrors.malformedJson(describe(error as Error));
  }
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw serverErrors.notUtf8();
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
