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
