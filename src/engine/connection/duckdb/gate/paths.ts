import { existsSync, readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { type Refusal, refusals } from './errors.ts';

/** Marks that make a path a pattern for the engine. */
const PATTERN = /[*?[]/;
/** What names no file below a folder: `s3://…`, `file:…`, `~/…`, and steps upwards. */
const ELSEWHERE = /^[a-z][a-z0-9+.-]*:|^~|(?:^|[/\\])\.\.(?:[/\\]|$)/i;

/** Checks that paths stay in one folder, links and all. Nothing is thrown. */
export interface PathCheck {
  /** Why SQL may not read what a path names; a pattern is judged by what it could match. */
  findRefusal(file: string, offset: number): Refusal | null;
  has(file: string): boolean;
}

/** `folder` is the absolute path of a folder without links in it; relative paths are taken from there. */
export function createPathCheck(folder: string): PathCheck {
  const isInside = (file: string) => file === folder || file.startsWith(folder + path.sep);

  function findRefusal(file: string, offset: number): Refusal | null {
    if (ELSEWHERE.test(file) || file.includes('\0')) return refusals.outside(file, offset);
    const pattern = PATTERN.exec(file);
    const fixed = pattern === null ? file : file.slice(0, file.lastIndexOf('/', pattern.index) + 1);
    const start = path.resolve(folder, fixed);
    try {
      const real = realpathSync(start);
      const links = pattern !== null && isInside(real) ? listLinks(real, isDeep(file, pattern.index)) : [];
      const all = [real, ...links.map((link) => realpathSync(link))];
      return all.every(isInside) ? null : refusals.outside(file, offset);
    } catch {
      // Whether there is something elsewhere is not for a caller to learn.
      return isInside(start) ? refusals.missing(file, offset) : refusals.outside(file, offset);
    }
  }

  return { findRefusal, has: (file) => existsSync(path.resolve(folder, file)) };
}

/** Whether a pattern, which begins at an offset, could match what is in folders below. */
function isDeep(file: string, from: number): boolean {
  return file.includes('/', from) || file.includes('**');
}

/** The links in a folder, and in those below it if `isDeep`. Throws as the file system does. */
function listLinks(folder: string, isDeep: boolean): readonly string[] {
  return readdirSync(folder, { recursive: isDeep, withFileTypes: true })
    .filter((entry) => entry.isSymbolicLink())
    .map((entry) => path.join(entry.parentPath, entry.name));
}
