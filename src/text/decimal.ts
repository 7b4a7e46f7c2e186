import { notNull } from '../invariants/must.ts';
import { printCount } from '../invariants/print-count.ts';

/**
 * A number with a decimal point: `units` / 10^`scale`. It is plain data, and no object of JSON is like it: only integers
 * beyond 2^53 are bigints there, and a scale is never that large.
 */
export interface Decimal {
  readonly kind: 'decimal';
  readonly units: bigint;
  /** From 1 to `MAX_DIGITS`. */
  readonly scale: bigint;
}

/** Maximum digits of a number: to convert a longer one takes more time than to read it. */
export const MAX_DIGITS = 1_000;

const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/;

/** Whether a value from JSON, or of a script, is a decimal. */
export function isDecimal(value: unknown): value is Decimal {
  return (
    typeof value === 'object' &&
    value !== null &&
    'scale' in value &&
    typeof value.scale === 'bigint' &&
    value.scale > 0n &&
    value.scale <= MAX_DIGITS
  );
}

/**
 * Reads a number: digits with an optional sign, point and exponent. Without digits after the point, the result is an
 * integer. Null for other text, and for more than `MAX_DIGITS` digits.
 */
export function parseNumber(text: string): bigint | Decimal | null {
  const [, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(text) ?? [];
  const digits = whole + fraction;
  const scale = fraction.length - Number(exponent);
  const length = scale < 0 ? digits.length - scale : Math.max(digits.length, scale);
  if (digits === '' || length > MAX_DIGITS) return null;
  const units = BigInt(text.startsWith('-') ? `-${digits}` : digits);
  return scale > 0 ? createDecimal(units, BigInt(scale)) : units * 10n ** BigInt(-scale);
}

export function createDecimal(units: bigint, scale: bigint): Decimal {
  return { kind: 'decimal', units, scale };
}

/** The digits of a decimal with its point: 1234 of scale 2 is `12.34`, and -5 is `-0.05`. */
export function toDecimalText(unscaled: number | bigint, scale: number): string {
  const text = String(unscaled);
  if (scale === 0) return text;
  const negative = text.startsWith('-');
  const digits = (negative ? text.slice(1) : text).padStart(scale + 1, '0');
  const point = digits.length - scale;
  return `${negative ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}`;
}

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
