/** The maximum of texts with kept values; a further one replaces the one that was changed least recently. */
const MAX_TEXTS = 200;

/** What this browser keeps of texts, by their keys, the most recent last. */
type KeptTexts<Value> = readonly (readonly [key: string, value: Value])[];

/** The values under a name; none if they cannot be read. */
export function readKeptTexts<Value>(
  name: string,
  isValue: (value: unknown) => value is Value,
): KeptTexts<Value> {
  try {
    const all: unknown = JSON.parse(window.localStorage.getItem(name) ?? '[]');
    const isEntry = (entry: unknown): entry is readonly [string, Value] =>
      Array.isArray(entry) && typeof entry[0] === 'string' && isValue(entry[1]);
    return Array.isArray(all) ? all.filter(isEntry) : [];
  } catch {
    return [];
  }
}

/** Keeps a value of a text, with those from before. A browser that refuses this forgets everything under the name. */
export function keepOfText<Value>(name: string, before: KeptTexts<Value>, key: string, value: Value): void {
  const others = before.filter(([known]) => known !== key);
  try {
    window.localStorage.setItem(name, JSON.stringify([...others, [key, value]].slice(-MAX_TEXTS)));
  } catch {
    forgetKeptTexts(name);
  }
}

/** Forgets everything under a name. */
export function forgetKeptTexts(name: string): void {
  window.localStorage.removeItem(name);
}
