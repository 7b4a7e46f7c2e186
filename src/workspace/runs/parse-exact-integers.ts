/** For `JSON.parse`: integers that a double cannot hold become bigints, by their text (language 4). */
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
