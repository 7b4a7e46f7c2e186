import duckdb from '@duckdb/node-bindings';
import { quoteName, quoteText } from '../../text/sql-quote.ts';
import { type ConnectionSpec, DatabaseError, type Driver } from '../contract/connection.ts';
import { enterSchema } from '../contract/missing-schema.ts';
import { listDiskUse } from './instance/disk-quota.ts';
import { createCancelled } from './instance/errors.ts';
import { closeInstances, openEngine } from './instance/open-engine.ts';
import { type DuckDbOptions, readOptions } from './instance/options.ts';
import { openParser } from './parser.ts';
import { duckdbReadRules } from './read-rules.ts';
import { DuckDbSession } from './session.ts';

/** The message of an error about a schema that does not exist. */
const NO_SCHEMA = 'No catalog + schema named';
/** The quoted name of the database: USE would prefer a database of this name to a schema. */
const CATALOG = `'"' || replace(current_catalog(), '"', '""') || '"'`;

/**
 * DuckDB in this process, one instance per file. Options: `file` (a path, or `:memory:` for a separate database in each
 * session), `temp_directory`, `memory_limit`, `threads`, `time_zone` (default UTC); overrides: `database`, `schema`. In
 * a sandbox, the first session that opens a file also sets the time zone.
 */
export const duckdbDriver: Driver = {
  readRules: duckdbReadRules,
  openParser,
  connect: connectDuckDb,
  listDiskUse,
  close: closeInstances,
};

/** Opens a session. Rejects with a DatabaseError. */
export async function connectDuckDb(spec: ConnectionSpec, signal: AbortSignal): Promise<DuckDbSession> {
  const options = readOptions(spec.options, spec.sandbox, spec.name);
  const startSchema = toStartSchema(spec.overrides);
  if (signal.aborted) throw createCancelled();
  const engine = await openEngine(options);
  // A sandboxed instance has these settings already, for all sessions.
  const settings = engine.gate === null ? toSet(options) : [];
  const session = new DuckDbSession(engine);
  const run = async (...statements: readonly string[]) => {
    const text = statements.join(';\n');
    if (text !== '') await engine.step(text, signal, () => duckdb.query(engine.connection, text));
  };
  if (startSchema !== null) engine.hasTraces = true;
  const { schema } = spec.overrides;
  try {
    const use = () => run(...settings, ...(startSchema === null ? [] : [startSchema.use]));
    if (startSchema === null || schema === undefined) await use();
    else {
      await enterSchema(spec, {
        schema,
        use,
        isMissing: ({ message }) => message.includes(NO_SCHEMA),
        create: () => run(`CREATE SCHEMA IF NOT EXISTS ${startSchema.name}`),
      });
    }
    return session;
  } catch (error) {
    await session.close();
    throw error;
  }
}

function toSet({ timeZone }: DuckDbOptions): readonly string[] {
  return ['SET errors_as_json = true', `SET TimeZone = ${quoteText(timeZone)}`];
}

/** The schema in which a session starts: its name in SQL, and the statement that uses it; null for the usual one. */
function toStartSchema(
  overrides: Readonly<Record<string, string>>,
): { readonly name: string; readonly use: string } | null {
  const { database, schema, ...unknownOverrides } = overrides;
  const [unknown] = Object.keys(unknownOverrides);
  if (unknown !== undefined) throw new DatabaseError('sql', `DuckDB has no override "${unknown}".`);
  if (database !== undefined) {
    const name = [database, schema ?? 'main'].map(quoteName).join('.');
    return { name, use: `USE ${name}` };
  }
  if (schema === undefined) return null;
  const name = quoteName(schema);
  return { name, use: `SET schema = ${CATALOG} || ${quoteText(`.${name}`)}` };
}
