import { type Fraction, toFraction } from './fraction.ts';

/** Without what is behind the point. */
const cut = ({ n, d }: Fraction) => n / d;

export const floor = (value: Fraction) => {
  const whole = cut(value);
  return toFraction(whole * value.d > value.n ? whole - 1n : whole);
};

export const ceil = ({ n, d }: Fraction) => {
  const { n: below } = floor({ n: -n, d });
  return toFraction(-below);
};

/** Halves go away from zero. */
export function round({ n, d }: Fraction, digits: number): Fraction {
  const scale = 10n ** BigInt(digits);
  const size = cut({ n: (n < 0n ? -n : n) * scale * 2n + d, d: 2n * d });
  return toFraction(n < 0n ? -size : size, scale);
}

/** The quotient of whole numbers. */
export const divideWhole = (left: Fraction, right: Fraction) => toFraction(left.n / right.n);

/** What is left of a division without a fraction: with the sign of what is divided. */
export function findRest(left: Fraction, right: Fraction): Fraction {
  const whole = (left.n * right.d) / (left.d * right.n);
  return toFraction(left.n * right.d - whole * right.n * left.d, left.d * right.d);
}

/** A floating number with few binary digits as what it exactly is. */
export function toExact(value: number): Fraction {
  return toFraction(BigInt(value * 2 ** 20), 2n ** 20n);
}
