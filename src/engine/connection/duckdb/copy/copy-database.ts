import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import path from 'node:path';

import duckdb from '@duckdb/node-bindings';

import type { Engine } from '../instance/engine.ts';
import { createCancelled, toCopyError } from '../instance/errors.ts';
import { openEngine } from '../instance/open-engine.ts';
import { readOptions } from '../instance/options.ts';

const ATTEMPTS = 5;
const CHANGED = 3;

/** A separate process opens and closes the files: closing them here would release this process's lock on them. */
const COPIER = path.join(import.meta.dirname, `copy-files${path.extname(import.meta.filename)}`);

/**
 * Copies a database file to `target`, a new file, byte by byte and consistently: it contains everything that was
 * committed before the call. This process may use the file at the same time; other processes may not. Rejects with a
 * DatabaseError, `locked` when another process has the file, `full` when the disk has no room. After a failure, parts
 * of the copy and a `.wal` file next to it may remain.
 */
export async function copyDatabase(file: string, target: string, signal: AbortSignal): Promise<void> {
  const source = await openEngine(readOptions({ file }));
  try {
    // The file does not change while commits are written to its log.
    await run(source, "SET GLOBAL checkpoint_threshold = '1TB'", signal);
    try {
      // The log is next to the file itself, not next to a link to it.
      await copyUnchanged(await realpath(file), target, signal);
    } finally {
      await run(source, 'RESET GLOBAL checkpoint_threshold', new AbortController().signal);
    }
  } finally {
    await source.close();
  }
  await foldLog(target, signal);
}

/** Opening the copy checks its integrity and moves its log into it. */
async function foldLog(target: string, signal: AbortSignal): Promise<void> {
  const copy = await openEngine(readOptions({ file: target }));
  try {
    await run(copy, 'CHECKPOINT', signal);
  } finally {
    await copy.close();
  }
}

async function copyUnchanged(file: string, target: string, signal: AbortSignal): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    if (await copyOnce(file, target, signal)) return;
  }
  throw toCopyError(file, 'it was checkpointed repeatedly during the copy');
}

/** Copies once; false if the file and the log may not belong together. */
function copyOnce(file: string, target: string, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      ['--no-warnings', COPIER, file, target],
      { signal, killSignal: 'SIGKILL' },
      (error, _, stderr) => {
        if (signal.aborted) reject(createCancelled());
        else if (error === null) resolve(true);
        else if (error.code === CHANGED) resolve(false);
        else reject(toCopyError(file, stderr || error.message));
      },
    );
  });
}

function run(engine: Engine, statement: string, signal: AbortSignal): Promise<unknown> {
  return engine.step(statement, signal, () => duckdb.query(engine.connection, statement));
}
