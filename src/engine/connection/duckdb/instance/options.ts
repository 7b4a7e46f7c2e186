import { type ConnectionSpec, DatabaseError, type Sandbox } from '../../contract/connection.ts';

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
const CONFIG = ['temp_directory', 'memory_limit', 'threads'];

/** Reads a connection's options; throws a DatabaseError of code `unreachable` for invalid ones. */
export function readOptions(
  options: Readonly<Record<string, string>>,
  sandbox: ConnectionSpec['sandbox'] = undefined,
  name = '',
): DuckDbOptions {
  const { file, time_zone: timeZone = 'UTC', ...rest } = options;
  if (!file) throw new DatabaseError('unreachable', 'A DuckDB connection needs the option "file".');
  for (const name of Object.keys(rest)) {
    if (!CONFIG.includes(name)) {
      throw new DatabaseError('unreachable', `A DuckDB connection has no option "${name}".`);
    }
  }
  return { file, config: rest, timeZone, sandbox: sandbox ?? null, name };
}
