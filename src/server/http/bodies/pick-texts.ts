/** More characters than any text may have that is kept: one of so many is refused as a longer one is. */
const MORE_THAN_KEPT = 15 * 1024 ** 2 + 1;

/** Characters of a text from which on its UTF-8 is handed on where that is as good: it takes no time to hand on. */
const LONG_TEXT = 1024 ** 2;

const utf8 = new TextEncoder();

/**
 * What counts of a body for a route that reads some fields only, all of them texts: these fields, a text that is longer
 * than any may be cut, and a list or an object, which is none, without what is in it. Of those
 * in `byteNames` a long one that is well-formed is its UTF-8.
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
