import type { ConnectionSpec } from '../engine/connection/connection.ts';
import { connectionErrors } from './errors.ts';

export interface ConnectionDefaults {
  /** The file of the connection `duckdb`, which every home has. */
  readonly duckdbFile: string;
  /** Where the engine may spill. */
  readonly spillFolder: string;
}

const ALLOWED_OVERRIDES = new Set(['database', 'schema']);

/**
 * What a driver needs to open the connection of this name with these overrides (interface 2.4). Throws 404
 * for an unknown name, 400 for an override that the connection does not allow.
 */
export function resolveConnection(
  defaults: ConnectionDefaults,
  name: string,
  overrides: Readonly<Record<string, string>>,
): ConnectionSpec {
  if (name !== 'duckdb') throw connectionErrors.notFound(name);
  for (const [key, value] of Object.entries(overrides)) {
    if (!ALLOWED_OVERRIDES.has(key)) throw connectionErrors.overrideNotAllowed(key);
    if (typeof value !== 'string') throw connectionErrors.overrideNotString(key);
  }
  const options = { file: defaults.duckdbFile, temp_directory: defaults.spillFolder };
  return { name, kind: 'duckdb', options, overrides };
}
