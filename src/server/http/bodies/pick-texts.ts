/** More characters than any stored string can have; a string cut here is refused like the full one. */
const MORE_THAN_KEPT = 15 * 1024 ** 2 + 1;

/** Minimum characters for which a string is passed as UTF-8 bytes, because bytes can be transferred without a copy. */
const LONG_TEXT = 1024 ** 2;

const utf8 = new TextEncoder();

/**
 * Picks the string fields that a route reads from its body. Cuts strings that are longer than allowed, and empties a
 * list or an object found instead of a string. Long, well-formed strings in `byteNames` become UTF-8 bytes.
 */
export function pickTexts(
  body: unknown,
  names: readonly string[],
  byteNames: readonly string[] = [],
): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return empty(body);
  const picked = names.filter((name) => Object.hasOwn(body, name));
  return Object.fromEntries(
    picked.map((name) => {
      const value = empty((body as Record<string, unknown>)[name]);
      return [name, byteNames.includes(name) ? toBytes(value) : value];
    }),
  );
}

function toBytes(value: unknown): unknown {
  const isLong = typeof value === 'string' && value.length > LONG_TEXT;
  return isLong && value.isWellFormed() ? utf8.encode(value) : value;
}

function empty(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, MORE_THAN_KEPT);
  if (Array.isArray(value)) return [];
  return typeof value === 'object' && value !== null ? {} : value;
}
