import type { Foreign } from '../draft/read-foreign.ts';

/** A word of Cube in snake case: its keys and types may be written as `rolling_window` and `rollingWindow`. */
export function toSnakeCase(word: string): string {
  return word.replaceAll(/(?<=[a-z\d])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** A value with all of its keys in snake case. */
export function toSnakeKeys(value: Foreign): Foreign {
  if (value.kind === 'list') return { ...value, items: value.items.map(toSnakeKeys) };
  if (value.kind === 'scalar') return value;
  const entries = new Map(value.entries);
  for (const [key, entry] of value.entries) {
    const name = toSnakeCase(key);
    // Of a key in both cases, each is read as it stands: the second one is unknown, and told.
    const isTaken = name !== key && value.entries.has(name);
    if (!isTaken) entries.delete(key);
    entries.set(isTaken ? key : name, { ...entry, value: toSnakeKeys(entry.value) });
  }
  return { ...value, entries };
}
