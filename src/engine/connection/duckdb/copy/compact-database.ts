import { existsSync, statSync } from 'node:fs';
import duckdb from '@duckdb/node-bindings';
import { createReader } from '../../../result/columns/read-value.ts';
import { quoteName, quoteText } from '../../../text/sql-quote.ts';
import { DatabaseError } from '../../contract/connection.ts';
import type { Engine } from '../instance/engine.ts';
import { toCopyError, toOpenError } from '../instance/errors.ts';
import { openEngine } from '../instance/open-engine.ts';
import { MEMORY, readOptions } from '../instance/options.ts';
import { createStringDecoder } from '../values/strings.ts';
import { checkSameContent, copyContent } from './copy-content.ts';

/** A request to compact a database. Paths are absolute and without links. */
export interface Compaction {
  readonly file: string;
  /** Path of the copy, on the same disk; must not exist. */
  readonly target: string;
  /** Folder for data that does not fit into memory. */
  readonly temp: string;
  /** Replaces the file with the copy, while no other process can write to it. */
  readonly swap: () => void;
  readonly signal: AbortSignal;
}

/**
 * Copies the content of a database into a new file without free blocks, compares both, and calls `swap` when they are
 * equal and the copy is smaller. Resolves with both sizes in bytes. Rejects with a DatabaseError, `locked` when another
 * process has the file, `full` when the disk has no room for the copy. After a failure, parts of the copy and a `.wal`
 * file next to it may remain.
 */
export async function compactDatabase(
  compaction: Compaction,
): Promise<{ readonly before: number; readonly after: number }> {
  const { file, target, temp, swap, signal } = compaction;
  const about = await readAbout(file, signal);
  const before = statSync(file).size;
  const engine = await openEngine(readOptions({ file: MEMORY, temp_directory: temp }));
  const run = (sql: string) => engine.step(sql, signal, () => duckdb.query(engine.connection, sql));
  const source = `quern_${about.name}`;
  try {
    // Meanwhile, other processes can read the file, but not write to it.
    await run(`ATTACH ${quoteText(file)} AS ${quoteName(source)} (READ_ONLY)`).catch((error: unknown) => {
      throw signal.aborted ? error : toOpenError(error, file);
    });
    if (existsSync(`${file}.wal`)) throw createBusy(file);
    const { version, blockSize } = about;
    await run(
      `ATTACH ${quoteText(target)} AS ${quoteName(about.name)} (STORAGE_VERSION ${quoteText(version)}, BLOCK_SIZE ${blockSize})`,
    );
    const work = { run, read: (sql: string) => readRows(engine, sql, signal), source, target: about.name };
    await copyContent(work);
    await run(`CHECKPOINT ${quoteName(about.name)}`);
    await checkSameContent(work);
    await run(`DETACH ${quoteName(about.name)}`);
    const after = statSync(target).size;
    if (existsSync(`${target}.wal`)) throw toCopyError(file, 'the copy still has a separate log');
    if (after >= before) return { before, after: before };
    swap();
    return { before, after };
  } finally {
    await engine.close();
  }
}

interface About {
  /** The name of the database in its own SQL. */
  readonly name: string;
  /** Version of the file format, in the form that ATTACH accepts. */
  readonly version: string;
  readonly blockSize: string;
}

const ABOUT = `SELECT current_database(),
    (SELECT tags['storage_version'] FROM duckdb_databases() WHERE database_name = current_database()),
    (SELECT block_size::VARCHAR FROM pragma_database_size() WHERE database_name = current_database())`;

/** Moves the log into the file, and reads the file's format. */
async function readAbout(file: string, signal: AbortSignal): Promise<About> {
  const engine = await openEngine(readOptions({ file }));
  try {
    await step(engine, 'CHECKPOINT', signal);
    const [[name, version, blockSize] = []] = await readRows(engine, ABOUT, signal);
    if (name == null || version == null || blockSize == null)
      throw toCopyError(file, 'its format is unknown');
    return { name, version: version.replace(/\+$/, ''), blockSize };
  } finally {
    await engine.close();
  }
}

function step(engine: Engine, statement: string, signal: AbortSignal): Promise<unknown> {
  return engine.step(statement, signal, () => duckdb.query(engine.connection, statement));
}

/** Another process has written to the file since it was checked. */
function createBusy(file: string): DatabaseError {
  return new DatabaseError('locked', `The database file "${file}" is in use by another process.`);
}

const TEXT = createStringDecoder({ kind: 'text', label: 'STRING' });

/** Reads all rows of an internal query whose columns are text. Rejects with a DatabaseError. */
async function readRows(
  engine: Engine,
  query: string,
  signal: AbortSignal,
): Promise<readonly (readonly (string | null)[])[]> {
  const result = await engine.step(query, signal, () => duckdb.query(engine.connection, query));
  const rows: (string | null)[][] = [];
  for (;;) {
    const chunk = await engine.step(query, signal, () => duckdb.fetch_chunk(result));
    const count = chunk === null ? 0 : duckdb.data_chunk_get_size(chunk);
    if (chunk === null || count === 0) return rows;
    const columns = Array.from({ length: duckdb.data_chunk_get_column_count(chunk) }, (_, at) =>
      createReader(TEXT.type, TEXT.decode(duckdb.data_chunk_get_vector(chunk, at), 0, count)),
    );
    for (let row = 0; row < count; row++) {
      rows.push(columns.map((read) => (read(row) === null ? null : String(read(row)))));
    }
  }
}
