import { serverErrors } from '../errors.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The value of a JSON body (interface 1); undefined for an empty one, which clients send with a JSON content type, too.
 * Of a repeated key the last one counts. Throws 400.
 */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  const text = decode(bytes);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw serverErrors.malformedJson(describe(error as SyntaxError));
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
function describe({ message }: SyntaxError): string {
  const place = /at position \d+(?: \(line \d+ column \d+\))?/.exec(message)?.[0];
  if (place !== undefined) return `unexpected text ${place}`;
  return /end of JSON/i.test(message) ? 'it ends too early' : 'unexpected text';
}
