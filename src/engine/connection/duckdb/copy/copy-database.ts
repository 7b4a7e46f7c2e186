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

/** Files are opened and closed again by a process of its own: this one would lose its lock on them with that. */
const COPIER = path.join(import.meta.dirname, `copy-files${path.extname(import.meta.filename)}`);

/**
 * Copies a database file to `target`, a new file, as of one moment and byte by byte: everything committed before the
 * call is in it. This process may be at work on the file; another one may not. Rejects with a DatabaseError, `locked`
 * where another process has the file, `full` where the copy finds no room; then parts of the copy may be left, and
 * a file beside it that ends in `.wal`.
 */
export async function copyDatabase(file: string, target: string, signal: AbortSignal): Promise<void> {
  const source = await openEngine(readOptions({ file }));
  try {
    // The file stays as it is while commits go to its log.
    await run(source, "SET GLOBAL checkpoint_threshold = '1TB'", signal);
    try {
      // The log lies beside the file itself, not beside a link to it.
      await copyUnchanged(await realpath(file), target, signal);
    } finally {
      await run(source, 'RESET GLOBAL checkpoint_threshold', new AbortController().signal);
    }
  } finally {
    await source.close();
  }
  await foldLog(target, signal);
}

/** Opening the copy tells whether it is sound, and moves its log into it. */
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
  throw toCopyError(file, 'it was checkpointed again and again meanwhile');
}

/** Whether what was copied is of one moment. */
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
