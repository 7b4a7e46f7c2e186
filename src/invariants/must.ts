/** What has to be there, if the code around is right; what is missing throws an error that is never a user's fault. */
class MissingError extends Error {
  override readonly name = 'MissingError';
}

/** The element at `index`, which may count from the end (-1). Throws where there is none. */
export function elementAt<T>(list: ArrayLike<T>, index: number): T {
  const value = list[index < 0 ? list.length + index : index];
  if (value === undefined) throw new MissingError(`no element ${index} of ${list.length}`);
  return value;
}

/** The value of `key`. Throws where there is none. */
export function entryOf<K, V>(map: { get(key: K): V | undefined }, key: K): V {
  const value = map.get(key);
  if (value === undefined) throw new MissingError(`no entry ${String(key)}`);
  return value;
}

/** The value itself, which may be null. Throws where there is none. */
export function present<T>(value: T | undefined): T {
  if (value === undefined) throw new MissingError('a value is missing');
  return value;
}

/** The value itself, which is not null. */
export function notNull<T>(value: T | null): T {
  if (value === null) throw new MissingError('a value is null');
  return value;
}
