import { existsSync, statSync } from 'node:fs';

import duckdb from '@duckdb/node-bindings';

import { quoteName, quoteText } from '../../../text/sql-quote.ts';
import { DatabaseError } from '../../contract/connection.ts';
import type { Engine } from '../instance/engine.ts';
import { toCopyError, toOpenError } from '../instance/errors.ts';
import { openEngine } from '../instance/open-engine.ts';
import { MEMORY, readOptions } from '../instance/options.ts';
import { checkSameContent, copyContent } from './copy-content.ts';
import { readRows } from './read-rows.ts';

/** What is to be done with a database. Paths are absolute and without links. */
export interface Compaction {
  readonly file: string;
  /** Where the copy is written, on the same disk; nothing is there. */
  readonly target: string;
  /** For what does not fit into memory. */
  readonly temp: string;
  /** Puts the copy in the place of the file, while no other process can write to it. */
  readonly swap: () => void;
  readonly signal: AbortSignal;
}

/**
 * Copies all that a database holds into a new file without free blocks, compares both, and calls `swap` when they are the
 * same; not where the copy is no smaller. Resolves with the sizes of both in bytes. Rejects with a DatabaseError, `locked`
 * where another process has the file, `full` where the copy finds no room; then parts of the copy may be left, and a file
 * beside it that ends in `.wal`.
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
    // Others can read the file meanwhile, and nobody can write to it.
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
    if (existsSync(`${target}.wal`)) throw toCopyError(file, 'the copy has a log of its own');
    if (after >= before) return { before, after: before };
    swap();
    return { before, after };
  } finally {
    await engine.close();
  }
}

interface About {
  /** What a database of this file is called in its own SQL. */
  readonly name: string;
  /** Of the format of the file, as ATTACH takes it. */
  readonly version: string;
  readonly blockSize: string;
}

const ABOUT = `SELECT current_database(),
    (SELECT tags['storage_version'] FROM duckdb_databases() WHERE database_name = current_database()),
    (SELECT block_size::VARCHAR FROM pragma_database_size() WHERE database_name = current_database())`;

/** Moves the log into the file, and finds out how the file is made. */
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

/** Another process has written to the file since it was looked at. */
function createBusy(file: string): DatabaseError {
  return new DatabaseError('locked', `The database file "${file}" is in use by another process.`);
}
