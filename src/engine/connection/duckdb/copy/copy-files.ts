import { closeSync, constants, copyFileSync, existsSync, openSync, readSync, rmSync } from 'node:fs';
import process from 'node:process';

// A separate program: `copy-files FILE TARGET` copies a database file with its log. It exits with 0, or with 3 if the
// file was checkpointed during the copy, because the two may then not belong together.

/** Size of the file header and the two database headers; each checkpoint writes one of these. */
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
 * Copies the log first: the blocks that it refers to already exist and are kept until the next checkpoint. Later
 * blocks, and a torn end of the log, were not committed.
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
