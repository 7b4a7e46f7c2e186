import type { Manifest } from '../../engine/project/manifest.ts';
import { unknownEnvironment } from '../api/errors.ts';
import type { RunSettings } from '../api/workspace-api.ts';

/** The connection that every home has. */
export const DEFAULT_CONNECTION = 'duckdb';

/** A connection by its name, and its overrides in this run. */
interface Chosen {
  readonly name: string;
  readonly overrides: Readonly<Record<string, string>>;
}

/**
 * The connection of a run: the named one, else that of the project's named or default environment, else `fallback`
 * (docs/reference/projects.md#environments). The manifest is read only if needed. Throws an UnknownNameError for an
 * unknown environment, and the errors of `fallback`.
 */
export function chooseConnection(
  { connection, environment, overrides }: Omit<RunSettings, 'params' | 'typed'>,
  findManifest: () => Manifest | null,
  fallback: () => string,
): Chosen {
  if (connection !== undefined && environment === undefined) return { name: connection, overrides };
  const manifest = findManifest();
  const key = environment ?? manifest?.environments.default ?? null;
  const chosen = key === null ? undefined : manifest?.environments.byKey.get(key);
  if (environment !== undefined && chosen === undefined) {
    throw unknownEnvironment(environment, manifest && [...manifest.environments.byKey.keys()]);
  }
  if (connection !== undefined) return { name: connection, overrides };
  if (chosen === undefined) return { name: fallback(), overrides };
  return { name: chosen.connection.name, overrides: { ...chosen.connection.overrides, ...overrides } };
}
