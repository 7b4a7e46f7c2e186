/**
 * A reviver for `JSON.parse`: integers that a double cannot represent become bigints, parsed from their source
 * (docs/reference/parameters.md#values).
 */
export function parseExactIntegers(
  this: unknown,
  _key: string,
  value: unknown,
  context?: { readonly source?: string },
): unknown {
  const source = context?.source;
  const isLarge = typeof value === 'number' && !Number.isSafeInteger(value);
  return isLarge && source !== undefined && /^-?\d+$/.test(source) ? BigInt(source) : value;
}
