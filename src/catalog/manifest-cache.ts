import { type ManifestReading, readManifest } from '../engine/project/manifest.ts';
import type { Source } from '../engine/text/source.ts';

/** How many manifests are remembered; of more, those that were asked for last. */
const MAX_MANIFESTS = 2_000;

/** Readings of manifests, so that each is read once for as long as it stays as it is, however many ask. */
export interface ManifestCache {
  read(source: Source): ManifestReading;
}

/** Nothing read yet. */
export function createManifestCache(): ManifestCache {
  const known = new Map<string, { readonly text: string; readonly reading: ManifestReading }>();
  return {
    read(source) {
      const { name, text } = source;
      const found = known.get(name);
      const entry = found?.text === text ? found : { text, reading: readManifest(source) };
      known.delete(name);
      known.set(name, entry);
      const [oldest] = known.keys();
      if (known.size > MAX_MANIFESTS && oldest !== undefined) known.delete(oldest);
      return entry.reading;
    },
  };
}
