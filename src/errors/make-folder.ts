import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { codeOf } from '../invariants/narrow.ts';

/**
 * Creates a folder, and its missing parents with the default mode. Throws the error of the system. The recursive function
 * of Node does not end where the system lets no folder be created, such as in `/proc`.
 */
export function makeFolder(folder: string, mode?: number): void {
  if (existsSync(folder)) return;
  const parent = path.dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another process was faster.
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}
