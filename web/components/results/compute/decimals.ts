/** An exact number: `unscaled` divided by ten to the power of `scale`. */
export interface ScaledInteger {
  readonly unscaled: bigint;
  readonly scale: number;
}

/** The maximum digits of a number that a person types. */
const MAX_DIGITS = 20_000;

/** Parses a number such as `-12.50` exactly; null if it is not one. */
export function parseDecimal(text: string): ScaledInteger | null {
  const [, sign = '', whole = '', fraction = ''] = /^([+-]?)(\d*)\.?(\d*)$/.exec(text.trim()) ?? [];
  const digits = whole + fraction;
  if (digits === '' || digits.length > MAX_DIGITS) return null;
  const unscaled = BigInt(digits);
  return { unscaled: sign === '-' ? -unscaled : unscaled, scale: fraction.length };
}

/** The digits of a number with another scale; digits that it does not have are cut off. */
export function toScale({ unscaled, scale }: ScaledInteger, wanted: number): bigint {
  if (scale <= wanted) return unscaled * 10n ** BigInt(wanted - scale);
  return unscaled / 10n ** BigInt(scale - wanted);
}
