/** The maximum of kept objects; the oldest one is removed first. */
const MAX_KEYS = 50_000;

/** Returns the same object for the same revision, to cache what is computed from a content. */
export type RevisionKeys = (revision: number) => object;

/** Creates the objects; revisions are unique among all items. */
export function createRevisionKeys(): RevisionKeys {
  const keys = new Map<number, object>();
  return (revision) => {
    const key = keys.get(revision) ?? {};
    keys.set(revision, key);
    const [oldest] = keys.keys();
    if (keys.size > MAX_KEYS && oldest !== undefined) keys.delete(oldest);
    return key;
  };
}
