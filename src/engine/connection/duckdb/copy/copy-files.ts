import { closeSync, constants, copyFileSync, existsSync, openSync, readSync, rmSync } from 'node:fs';
import process from 'node:process';

// A process of its own: `copy-files FILE TARGET` copies a database file with its log, and ends with 0; with 3 when the
// file was checkpointed meanwhile, so that the two may not belong together.

/** The file's own header and the two of the database, of which each checkpoint writes one. */
const HEADER_BYTES = 3 * 4096;
const CHANGED = 3;

function readHeader(file: string): Buffer {
  const handle = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(HEADER_BYTES);
    return bytes.subarray(0, readSync(handle, bytes, 0, HEADER_BYTES, 0));
  } finally {
    closeSync(handle);
  }
}

/**
 * The log first: what it refers to in the file is there before it, and stays until the next checkpoint. What is in the
 * file beyond that, or torn at the log's end, has not been committed.
 */
function copyFiles(file: string, target: string): boolean {
  const before = readHeader(file);
  rmSync(`${target}.wal`, { force: true });
  if (existsSync(`${file}.wal`)) copyFileSync(`${file}.wal`, `${target}.wal`, constants.COPYFILE_FICLONE);
  copyFileSync(file, target, constants.COPYFILE_FICLONE);
  return before.equals(readHeader(file));
}

const [file = '', target = ''] = process.argv.slice(2);
try {
  if (!copyFiles(file, target)) process.exitCode = CHANGED;
} catch (error) {
  process.stderr.write(`${(error as NodeJS.ErrnoException).code} ${(error as Error).message}`);
  process.exitCode = 1;
}
