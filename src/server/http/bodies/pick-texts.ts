/** More characters than any text may have that is kept: one of so many is refused as a longer one is. */
const MORE_THAN_KEPT = 15 * 1024 ** 2 + 1;

/**
 * What counts of a body for a route that reads some fields only, all of them texts: these fields, a text that is longer
 * than any may be cut, and a list or an object, which is none, without what is in it.
 */
export function pickTexts(body: unknown, names: readonly string[]): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return empty(body);
  const picked = names.filter((name) => Object.hasOwn(body, name));
  return Object.fromEntries(picked.map((name) => [name, empty((body as Record<string, unknown>)[name])]));
}

function empty(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, MORE_THAN_KEPT);
  if (Array.isArray(value)) return [];
  return typeof value === 'object' && value !== null ? {} : value;
}
