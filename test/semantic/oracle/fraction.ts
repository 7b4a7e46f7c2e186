/** An exact number, in lowest terms; `d` is above 0. */
export interface Fraction {
  readonly n: bigint;
  readonly d: bigint;
}

function findDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

/** The fraction n / d for a nonzero d. */
export function toFraction(n: bigint | number, d: bigint = 1n): Fraction {
  if (d === 1n) return { n: BigInt(n), d };
  const [top, bottom] = d < 0n ? [-BigInt(n), -d] : [BigInt(n), d];
  const divisor = findDivisor(top, bottom);
  return { n: top / divisor, d: bottom / divisor };
}

/** Parses a decimal number such as `-12.50` or `1.5e3`. */
export function parseFraction(text: string): Fraction {
  const match = /^(-?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text);
  if (match === null || `${match[2]}${match[3]}` === '') throw new Error(`no number: ${text}`);
  const [, sign, whole = '', digits = '', power = '0'] = match;
  const units = BigInt(`${sign}${whole}${digits}`);
  const scale = digits.length - Number(power);
  return scale >= 0 ? toFraction(units, 10n ** BigInt(scale)) : toFraction(units * 10n ** BigInt(-scale));
}

/** The digits of a number with at most `scale` fraction digits. */
export function printDecimal(value: Fraction, scale: number): string {
  const units = (value.n * 10n ** BigInt(scale)) / value.d;
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const rest = scale === 0 ? '' : `.${digits.slice(-scale)}`;
  return `${units < 0n ? '-' : ''}${whole}${rest}`;
}

export const add = (a: Fraction, b: Fraction) => toFraction(a.n * b.d + b.n * a.d, a.d * b.d);
export const subtract = (a: Fraction, b: Fraction) => toFraction(a.n * b.d - b.n * a.d, a.d * b.d);
export const multiply = (a: Fraction, b: Fraction) => toFraction(a.n * b.n, a.d * b.d);
export const divide = (a: Fraction, b: Fraction) => toFraction(a.n * b.d, a.d * b.n);

/** Below 0 if a is smaller, 0 if they are equal. */
export function compareFractions(a: Fraction, b: Fraction): number {
  const difference = a.n * b.d - b.n * a.d;
  return difference < 0n ? -1 : Number(difference > 0n);
}

/** The nearest double, or one next to it. */
export const toDouble = ({ n, d }: Fraction) => Number(n) / Number(d);
