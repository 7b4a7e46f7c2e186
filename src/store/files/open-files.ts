import { statSync } from 'node:fs';
import { entryOf } from '../../invariants/must.ts';

/**
 * How often this process has each database open, by device and inode. Kept for the whole process because
 * POSIX locks are: closing any handle on a file drops every lock that the process holds on it, so a file
 * that SQLite has open here must not be read by other means.
 */
const openFiles = new Map<string, number>();

function keyOf(file: string): string {
  const { dev, ino } = statSync(file);
  return `${dev}:${ino}`;
}

/** Whether this process has the database open. */
export function isOpenHere(file: string): boolean {
  return openFiles.has(keyOf(file));
}

/** Notes that the database is open here; the function it returns notes that it is closed again. */
export function noteOpen(file: string): () => void {
  const key = keyOf(file);
  openFiles.set(key, (openFiles.get(key) ?? 0) + 1);
  return () => {
    const count = entryOf(openFiles, key) - 1;
    if (count === 0) openFiles.delete(key);
    else openFiles.set(key, count);
  };
}
