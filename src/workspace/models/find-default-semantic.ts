import { getHomeConfig } from '../home/home-config.ts';

/**
 * The setting `semantic.default_connection` (semantic 1): `variable` is that of the environment, which wins over the
 * `config.toml` of the home. Throws a HomeError `unreadable` for one with faults.
 */
export function findDefaultSemantic(home: string, variable: string | undefined): string | undefined {
  return variable || getHomeConfig(home).semantic.defaultConnection;
}
