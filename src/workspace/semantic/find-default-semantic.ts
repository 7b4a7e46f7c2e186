import { HomeError } from '../../errors/home-error.ts';
import { readHomeConfig } from '../home-config.ts';

/**
 * The setting `semantic.default_connection` (semantic 1): `variable` is that of the environment, which wins over the
 * `config.toml` of the home. Throws a HomeError `unreadable` for one with faults.
 */
export function findDefaultSemantic(home: string, variable: string | undefined): string | undefined {
  if (variable) return variable;
  const { value, faults } = readHomeConfig(home);
  if (faults === undefined) return value.semantic.defaultConnection;
  const { file, line, column, message } = faults[0]!;
  throw new HomeError('unreadable', `${file}:${line}:${column}: ${message}`);
}
