import { type ConnectionSpec, DatabaseError, type Sandbox } from '../../contract/connection.ts';

/** What a DuckDB connection is opened with. */
export interface DuckDbOptions {
  /** A path, or `:memory:` for a database that its session alone sees. */
  readonly file: string;
  /** Of the whole instance, by DuckDB's own names; whoever opens a file first decides for everyone. */
  readonly config: Readonly<Record<string, string>>;
  readonly timeZone: string;
  /** What the instance is locked down to; null: it may do what its process may. */
  readonly sandbox: Sandbox | null;
  /** What its users call it; '' where nothing is said about it. */
  readonly name: string;
}

export const MEMORY = ':memory:';
const CONFIG = ['temp_directory', 'memory_limit', 'threads'];

/** Reads a connection's options; throws a DatabaseError of code `unreachable` when they make no sense. */
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
