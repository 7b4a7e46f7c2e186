import duckdb from '@duckdb/node-bindings';
import { quoteName, quoteText } from '../../text/sql-quote.ts';
import { DatabaseError, type Driver } from '../contract/connection.ts';
import { adviseOnSchema } from '../contract/missing-schema.ts';
import { listDiskUse } from './instance/disk-quota.ts';
import { createCancelled } from './instance/errors.ts';
import { closeInstances, openEngine } from './instance/open-engine.ts';
import { type DuckDbOptions, readOptions } from './instance/options.ts';
import { DuckDbSession } from './session.ts';

/**
 * DuckDB in this process, one instance per file. Options: `file` (a path, or `:memory:` for a separate database in each
 * session), `temp_directory`, `memory_limit`, `threads`, `time_zone` (default UTC); overrides: `database`, `schema`. In
 * a sandbox, the first session that opens a file also sets the time zone.
 */
export const duckdbDriver: Driver = {
  async connect(spec, signal) {
    const options = readOptions(spec.options, spec.sandbox, spec.name);
    const use = toUse(spec.overrides);
    if (signal.aborted) throw createCancelled();
    const engine = await openEngine(options);
    // A sandboxed instance has these settings already, for all sessions.
    const settings = [...(engine.gate === null ? toSet(options) : []), ...use].join(';\n');
    const session = new DuckDbSession(engine);
    if (use.length > 0) engine.hasTraces = true;
    try {
      if (settings !== '')
        await engine.step(settings, signal, () => duckdb.query(engine.connection, settings));
      return session;
    } catch (error) {
      await session.close();
      const { schema } = spec.overrides;
      throw schema === undefined ? error : adviseOnSchema(error, schema);
    }
  },
  listDiskUse,
  close: closeInstances,
};

function toSet({ timeZone }: DuckDbOptions): readonly string[] {
  return ['SET errors_as_json = true', `SET TimeZone = ${quoteText(timeZone)}`];
}

/** A database is qualified with its schema `main`; otherwise USE would prefer a schema of that name. */
function toUse(overrides: Readonly<Record<string, string>>): readonly string[] {
  const { database, schema, ...rest } = overrides;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw new DatabaseError('sql', `DuckDB has no override "${unknown}".`);
  if (database !== undefined) return [`USE ${quoteName(database)}.${quoteName(schema ?? 'main')}`];
  return schema === undefined ? [] : [`USE ${quoteName(schema)}`];
}
