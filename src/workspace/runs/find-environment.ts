import type { Manifest } from '../../engine/project/manifest.ts';
import { unknownEnvironment } from '../api/errors.ts';

/**
 * The environment with a key, else the default one; undefined if the project has no default. `manifest` is null without a
 * project. Throws an UnknownNameError for an unknown key.
 */
export function findEnvironment(manifest: Manifest | null, key: string | undefined) {
  const name = key ?? manifest?.environments.default ?? null;
  const environment = name === null ? undefined : manifest?.environments.byKey.get(name);
  if (key !== undefined && environment === undefined) {
    throw unknownEnvironment(key, manifest && [...manifest.environments.byKey.keys()]);
  }
  return environment;
}
