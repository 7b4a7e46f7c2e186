import { type ManifestReading, readManifest } from '../engine/project/manifest.ts';
import type { Source } from '../engine/text/source.ts';

/** The maximum of cached manifests; the least recently used one is removed first. */
const MAX_MANIFESTS = 2_000;

/** A cache of parsed manifests: each revision of a manifest is parsed once. */
export interface ManifestCache {
  read(source: Source): ManifestReading;
}

/** Creates an empty cache. */
export function createManifestCache(): ManifestCache {
  const known = new Map<string, { readonly text: string; readonly reading: ManifestReading }>();
  return {
    read(source) {
      const { name, text } = source;
      const cached = known.get(name);
      const entry = cached?.text === text ? cached : { text, reading: readManifest(source) };
      known.delete(name);
      known.set(name, entry);
      const [oldest] = known.keys();
      if (known.size > MAX_MANIFESTS && oldest !== undefined) known.delete(oldest);
      return entry.reading;
    },
  };
}
