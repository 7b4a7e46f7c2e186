import { notNull } from '../../invariants/must.ts';
import { printCount } from '../../invariants/print-count.ts';
import { MAX_DIGITS, parseNumber } from '../../text/decimal.ts';

/** Maximum characters of the name of a field in a message. */
const SHOWN_CHARACTERS = 200;

/** A number in JSON has more than `MAX_DIGITS` digits. */
export class NumberTooLongError extends Error {
  /** Its place, such as `params.days[0]`; '' for the whole value. */
  readonly field: string;

  constructor(place: string) {
    const field = place.length > SHOWN_CHARACTERS ? `${place.slice(0, SHOWN_CHARACTERS)}…` : place;
    super(`a number has more than ${printCount(MAX_DIGITS)} digits${field === '' ? '' : `: ${field}`}`);
    this.name = 'NumberTooLongError';
    this.field = field;
  }
}

/** Stands for a number that is too long, until its place is known. */
const TOO_LONG = Object.freeze({});

/**
 * Parses JSON, whose form the caller knows or checks. Its numbers keep their digits
 * (docs/reference/parameters.md#values): integers that a double cannot represent become bigints, and numbers with digits
 * after the point become decimals. Throws a NumberTooLongError, and the errors of `JSON.parse`.
 */
export function parseExactJson<T = unknown>(text: string): T {
  let hasTooLong = false;
  const value: T = JSON.parse(text, (_key, element: unknown, context?: { readonly source?: string }) => {
    const source = context?.source;
    if (typeof element !== 'number' || source === undefined || isPlain(element, source)) return element;
    const exact = parseNumber(source);
    if (exact === null) hasTooLong = true;
    return typeof exact === 'bigint' && Number.isSafeInteger(element) ? element : (exact ?? TOO_LONG);
  });
  if (hasTooLong) throw new NumberTooLongError(notNull(findPlace(value)));
  return value;
}

/** Whether a number is an integer that a double represents, without point or exponent. */
function isPlain(value: number, source: string): boolean {
  return Number.isSafeInteger(value) && /^-?\d+$/.test(source);
}

/** The place of the first number that is too long; null for none. */
function findPlace(value: unknown, place = ''): string | null {
  if (value === TOO_LONG) return place;
  if (typeof value !== 'object' || value === null) return null;
  const name = (key: string) => (place === '' ? key : `${place}.${key}`);
  for (const [key, inner] of Object.entries(value)) {
    const innerPlace = findPlace(inner, Array.isArray(value) ? `${place}[${key}]` : name(key));
    if (innerPlace !== null) return innerPlace;
  }
  return null;
}
