import { type Fraction, toFraction } from './fraction.ts';

/** The integer part. */
const cut = ({ n, d }: Fraction) => n / d;

export const floor = (value: Fraction) => {
  const whole = cut(value);
  return toFraction(whole * value.d > value.n ? whole - 1n : whole);
};

export const ceil = ({ n, d }: Fraction) => {
  const { n: below } = floor({ n: -n, d });
  return toFraction(-below);
};

/** Rounds halves away from zero. */
export function round({ n, d }: Fraction, digits: number): Fraction {
  const scale = 10n ** BigInt(digits);
  const size = cut({ n: (n < 0n ? -n : n) * scale * 2n + d, d: 2n * d });
  return toFraction(n < 0n ? -size : size, scale);
}

/** The integer quotient. */
export const divideWhole = (left: Fraction, right: Fraction) => toFraction(left.n / right.n);

/** The remainder of an integer division, with the sign of the dividend. */
export function findRest(left: Fraction, right: Fraction): Fraction {
  const whole = (left.n * right.d) / (left.d * right.n);
  return toFraction(left.n * right.d - whole * right.n * left.d, left.d * right.d);
}

/** The exact value of a floating-point number with few binary digits. */
export function toExact(value: number): Fraction {
  return toFraction(BigInt(value * 2 ** 20), 2n ** 20n);
}
