const INT53 = 2n ** 53n;
/** Digits of a decimal that a double always keeps. */
const DOUBLE_DIGITS = 15;
const SIXTEEN_DIGITS = 10n ** BigInt(DOUBLE_DIGITS);

/** Whether an integer is beyond 2^53, the limit of exact integers in a double. */
export function isLongInteger(value: bigint): boolean {
  return value > INT53 || value < -INT53;
}

/** Of the longest integer below 2^53, with a sign. */
const INT53_CHARACTERS = 17;

/** As `isLongInteger`, for digits with an optional sign; a conversion of a million digits would take a second. */
export function isLongIntegerText(text: string): boolean {
  return text.length > INT53_CHARACTERS || isLongInteger(BigInt(text));
}

/** Whether a decimal, given unscaled, has more than the 15 digits that a double always keeps. */
export function isLongDecimal(unscaled: bigint | number): boolean {
  return unscaled >= SIXTEEN_DIGITS || unscaled <= -SIXTEEN_DIGITS;
}

/** As `isLongDecimal`, for digits with an optional sign and point. */
export function isLongDecimalText(text: string): boolean {
  return text.replace(/^-?[0.]*/, '').replace('.', '').length > DOUBLE_DIGITS;
}

/**
 * A double as databases in the C tradition print it: the shortest digits that read back as the same double,
 * always with a point or an exponent (`1.0`, `1e+16`, `1e-05`), `nan`, `inf`, `-inf`.
 */
export function toDoubleText(value: number): string {
  return toPointText(value, Math.abs(value).toExponential());
}

/** As `toDoubleText`, for a single-precision number, with the digits that its width needs. */
export function toFloatText(value: number): string {
  return toPointText(value, toShortestFloat(Math.abs(value)));
}

/** The shortest JSON number that reads back as the same double; it is finite. */
export function toJsonDouble(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** The shortest JSON number that reads back as the same single-precision number; it is finite. */
export function toJsonFloat(value: number): string {
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  return sign + String(Number(toShortestFloat(Math.abs(value))));
}

/**
 * The fewest digits that identify the single-precision number `value`, in exponent form. As in DuckDB, if the digits
 * are exactly between two such numbers, or if two choices are equally near, the value is printed as a double.
 */
function toShortestFloat(value: number): string {
  for (let digits = 0; digits < 8; digits += 1) {
    const text = value.toExponential(digits);
    if (isBetween(Number(text), value) || isHalfway(value, digits)) return value.toExponential();
    if (Math.fround(Number(text)) === value) return text;
    // The distance to the next number above a power of two is larger than below.
    const above = addToLastDigit(text);
    if (Math.fround(Number(above)) === value) return above;
  }
  return value.toExponential(8);
}

/** Whether `midpoint` is exactly halfway between `value` and the next single-precision number. */
function isBetween(midpoint: number, value: number): boolean {
  const other = 2 * midpoint - value;
  const nearest = Math.fround(midpoint);
  return midpoint !== value && Math.fround(other) === other && (nearest === value || nearest === other);
}

/** Whether `value` is exactly halfway between two numbers with the given digits that both identify it. */
function isHalfway(value: number, digits: number): boolean {
  const text = value.toExponential(digits + 1);
  return (
    /5e/.test(text) && Number(text) === value && Math.fround(Number(value.toExponential(digits))) === value
  );
}

function addToLastDigit(exponential: string): string {
  const [mantissa = '', power = '0'] = exponential.split('e');
  const digits = mantissa.length > 1 ? mantissa.length - 2 : 0;
  return `${(Number(mantissa) + 10 ** -digits).toFixed(digits)}e${power}`;
}

/** `exponential` is the absolute value as `d.dde±x`; from 1e-4 to below 1e16 it is written out. */
function toPointText(value: number, exponential: string): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const [mantissa = '', power = '0'] = exponential.split('e');
  const digits = mantissa.replace('.', '');
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 16) return `${sign}${mantissa}${toExponent(exponent)}`;
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  return `${sign}${whole}.${digits.slice(exponent + 1) || '0'}`;
}

function toExponent(exponent: number): string {
  const digits = String(Math.abs(exponent)).padStart(2, '0');
  return `e${exponent < 0 ? '-' : '+'}${digits}`;
}
