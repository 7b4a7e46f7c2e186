// Readers of the search parameters of addresses, which ignore invalid values.

/** A text of an address; absent if it is empty. */
export function readText(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) || undefined : undefined;
}

/** One of some names; absent for another value. */
export function readKey<Key extends string>(
  names: Readonly<Record<Key, string>>,
  value: unknown,
): Key | undefined {
  return (Object.keys(names) as Key[]).find((key) => key === value);
}

/** One of some values; absent for another value. */
export function readOneOf<Value extends string>(values: readonly Value[], value: unknown): Value | undefined {
  return values.find((one) => one === value);
}
