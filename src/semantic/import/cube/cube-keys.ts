import type { Foreign } from '../draft/read-foreign.ts';

/** Converts a Cube word to snake case: Cube accepts both `rolling_window` and `rollingWindow`. */
export function toSnakeCase(word: string): string {
  return word.replaceAll(/(?<=[a-z\d])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Converts all keys of a value to snake case. */
export function toSnakeKeys(value: Foreign): Foreign {
  if (value.kind === 'list') return { ...value, items: value.items.map(toSnakeKeys) };
  if (value.kind === 'scalar') return value;
  const entries = new Map(value.entries);
  for (const [key, entry] of value.entries) {
    const name = toSnakeCase(key);
    // If a key appears in both cases, the second one keeps its spelling and is reported as unknown.
    const isTaken = name !== key && value.entries.has(name);
    if (!isTaken) entries.delete(key);
    entries.set(isTaken ? key : name, { ...entry, value: toSnakeKeys(entry.value) });
  }
  return { ...value, entries };
}
