import type { ConnectionSpec, Sandbox } from '../../contract/connection.ts';
import { getOption, type Options, resolveOptions } from '../../contract/kind.ts';
import { duckdbKind } from './kind.ts';

/** The parameters of a DuckDB connection. */
export interface DuckDbOptions {
  /** A path, or `:memory:` for a database that only its session sees. */
  readonly file: string;
  /** Settings of the whole instance, by DuckDB's names; the first session that opens a file determines them. */
  readonly config: Readonly<Record<string, string>>;
  readonly timeZone: string;
  /** The limits of a locked-down instance; null: it may do everything that its process may. */
  readonly sandbox: Sandbox | null;
  /** The name of the connection; '' if unknown. */
  readonly name: string;
}

export const MEMORY = ':memory:';

/**
 * Reads a connection's options, and the folder to which DuckDB may spill; all options but two are settings of DuckDB.
 * Throws a DatabaseError of code `unreachable` for invalid ones.
 */
export function readOptions(
  { temp_directory: spill, ...options }: Options,
  sandbox: ConnectionSpec['sandbox'] = undefined,
  name = '',
): DuckDbOptions {
  const optionValues = resolveOptions(duckdbKind, { options, overrides: {} });
  const { file: _, time_zone: __, ...settings } = optionValues;
  return {
    file: getOption(optionValues, 'file'),
    config: spill === undefined ? settings : { ...settings, temp_directory: spill },
    timeZone: getOption(optionValues, 'time_zone'),
    sandbox: sandbox ?? null,
    name,
  };
}
