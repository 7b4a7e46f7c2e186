import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from '../../invariants/narrow.ts';

/** Error codes of files that others remove meanwhile, and of paths that the system does not open. */
const SKIPPED = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'];

/** The bytes of the regular files in and below a folder or of a file; 0 where it is missing. Links are not followed. */
export async function measureFolder(folder: string): Promise<number> {
  let bytes = 0;
  const open = [folder];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const found = await skipMissing(lstat(place));
    if (found?.isFile() === true) bytes += found.size;
    if (found?.isDirectory() !== true) continue;
    const names = (await skipMissing(readdir(place))) ?? [];
    for (const name of names) open.push(path.join(place, name));
  }
  return bytes;
}

async function skipMissing<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (SKIPPED.includes(codeOf(error) ?? '')) return null;
    throw error;
  }
}
