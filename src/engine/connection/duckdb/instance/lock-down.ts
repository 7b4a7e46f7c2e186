import { randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import path from 'node:path';

import duckdb from '@duckdb/node-bindings';

import { createReader } from '../../../result/columns/read-value.ts';
import { quoteText } from '../../../text/sql-quote.ts';
import type { Sandbox } from '../../contract/connection.ts';
import { createNoFolder } from '../gate/errors.ts';
import { createGate, type Gate, type StoredObject } from '../gate/gate.ts';
import { createStringDecoder } from '../values/strings.ts';
import type { DuckDbOptions } from './options.ts';

/** Settings that the driver changes later: the last one while a file is copied, the others in each session. */
const OWN_SETTINGS = [
  'streaming_buffer_size',
  'enable_progress_bar_print',
  'enable_progress_bar',
  'checkpoint_threshold',
];

/** Stored objects that could run or read something when they are used. */
const STORED = `SELECT to_json(list({name: name, sql: sql}))::VARCHAR FROM (
  SELECT view_name AS name, sql FROM duckdb_views() WHERE NOT internal
  UNION ALL SELECT function_name, macro_definition FROM duckdb_functions() WHERE NOT internal AND macro_definition IS NOT NULL
  UNION ALL SELECT table_name, sql FROM duckdb_tables() WHERE NOT internal
  UNION ALL SELECT table_name, sql FROM duckdb_indexes() WHERE sql IS NOT NULL)`;

const TEXT = createStringDecoder({ kind: 'text', label: 'STRING' });

/**
 * Permanently removes everything from an instance that SQL could do to the machine beyond `sandbox`
 * (docs/reference/server-sql.md#what-the-database-itself-enforces). Resolves with the gate, which covers what settings
 * cannot: the instance's own files, and functions that change it. Rejects with a DatabaseError, or with errors of the
 * engine.
 */
export async function lockDown(
  database: duckdb.Database,
  { config, timeZone }: Pick<DuckDbOptions, 'config' | 'timeZone'>,
  sandbox: Sandbox,
): Promise<Gate> {
  const files = await findFolder(sandbox.files);
  const folders = [files, await findFolder(sandbox.staging)];
  const memoryLimit = config.memory_limit ?? sandbox.memoryLimit;
  // Instances that spill into the same folder would overwrite one another's files.
  const temp = path.join(await findFolder(sandbox.temp), randomUUID());
  const settings = printSettings(folders, { ...sandbox, temp, memoryLimit }, timeZone);
  const connection = await duckdb.connect(database);
  try {
    await duckdb.query(connection, settings.join(';\n'));
    return createGate(files, await readStored(connection));
  } finally {
    duckdb.disconnect_sync(connection);
  }
}

/** Updates the stored objects of a gate that bars any, because objects may have been dropped. */
export async function refreshGate(gate: Gate, database: duckdb.Database): Promise<void> {
  if (!gate.hasBarred) return;
  const connection = await duckdb.connect(database);
  try {
    gate.learn(await readStored(connection));
  } finally {
    duckdb.disconnect_sync(connection);
  }
}

async function readStored(connection: duckdb.Connection): Promise<readonly StoredObject[]> {
  return JSON.parse(await readText(connection, STORED));
}

/** The engine compares paths without links. */
async function findFolder(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch (cause) {
    throw createNoFolder(folder, cause);
  }
}

/** The order matters: the last but one cannot be undone, and after the last one no setting can change. */
function printSettings(
  folders: readonly string[],
  { temp, memoryLimit, maxTempSize }: Sandbox,
  timeZone: string,
): readonly string[] {
  const settings: readonly (readonly [name: string, value: string])[] = [
    ['errors_as_json', 'true'],
    ['allowed_directories', printList(folders)],
    ['temp_directory', quoteText(temp)],
    // Otherwise encryption needs an extension that is missing, and spilling would fail.
    ['force_mbedtls_unsafe', 'true'],
    ['temp_file_encryption', 'true'],
    ['TimeZone', quoteText(timeZone)],
    ['memory_limit', quoteText(memoryLimit)],
    ['max_temp_directory_size', quoteText(maxTempSize)],
    ['autoinstall_known_extensions', 'false'],
    ['autoload_known_extensions', 'false'],
    ['allow_community_extensions', 'false'],
    ['allow_persistent_secrets', 'false'],
    ['allowed_configs', printList(OWN_SETTINGS)],
    ['enable_external_access', 'false'],
    ['lock_configuration', 'true'],
  ];
  return settings.map(([name, value]) => `SET GLOBAL ${name} = ${value}`);
}

function printList(texts: readonly string[]): string {
  return `[${texts.map(quoteText).join(', ')}]`;
}

/** The single string of a query; an empty list without rows. */
async function readText(connection: duckdb.Connection, query: string): Promise<string> {
  const chunk = await duckdb.fetch_chunk(await duckdb.query(connection, query));
  const vector = TEXT.decode(duckdb.data_chunk_get_vector(chunk!, 0), 0, 1);
  return String(createReader(TEXT.type, vector)(0) ?? '[]');
}
