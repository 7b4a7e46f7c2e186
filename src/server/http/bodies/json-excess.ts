/** Maximum different field names in a body, and maximum characters of all these names. */
export const MAX_NAMES = 20_000;
const MAX_NAME_CHARACTERS = 2 * 1024 ** 2;

/**
 * Whether the objects in a JSON value have too many different field names: each name takes time to transfer between
 * threads. A body of less than a megabyte cannot have too many.
 */
export function hasTooManyNames(value: unknown): boolean {
  const names = new Set<string>();
  let characters = 0;
  const count = (name: string) => {
    if (!names.has(name)) characters += name.length;
    names.add(name);
  };
  for (const waiting = [value]; waiting.length > 0; ) {
    const next = waiting.pop();
    if (typeof next !== 'object' || next === null) continue;
    if (!Array.isArray(next)) Object.keys(next).forEach(count);
    if (names.size > MAX_NAMES || characters > MAX_NAME_CHARACTERS) return true;
    for (const inner of Object.values(next)) waiting.push(inner);
  }
  return false;
}
