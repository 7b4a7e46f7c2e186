/** A violated invariant: a value that the surrounding code guarantees is missing. Never caused by a user. */
class MissingError extends Error {
  override readonly name = 'MissingError';
}

/** The element at `index`; a negative index counts from the end. Throws when it does not exist. */
export function elementAt<T>(list: ArrayLike<T>, index: number): T {
  const value = list[index < 0 ? list.length + index : index];
  if (value === undefined) throw new MissingError(`no element ${index} of ${list.length}`);
  return value;
}

/** The value of `key`. Throws when it does not exist. */
export function entryOf<K, V>(map: { get(key: K): V | undefined }, key: K): V {
  const value = map.get(key);
  if (value === undefined) throw new MissingError(`no entry ${String(key)}`);
  return value;
}

/** The value itself, which may be null. Throws for undefined. */
export function present<T>(value: T | undefined): T {
  if (value === undefined) throw new MissingError('a value is missing');
  return value;
}

/** The value itself. Throws for null. */
export function notNull<T>(value: T | null): T {
  if (value === null) throw new MissingError('a value is null');
  return value;
}
