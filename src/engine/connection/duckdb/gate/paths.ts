import { existsSync, readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { type GateDiagnostic, gateDiagnostics } from './errors.ts';

/** Characters that make a path a pattern for the engine. */
const PATTERN = /[*?[]/;
/** Prefixes and steps that lead out of a folder: `s3://…`, `file:…`, `~/…`, and `..`. */
const ELSEWHERE = /^[a-z][a-z0-9+.-]*:|^~|(?:^|[/\\])\.\.(?:[/\\]|$)/i;

/** Checks that paths stay in one folder, including links. Does not throw. */
export interface PathCheck {
  /** Why SQL may not read a path; a pattern is judged by everything that it could match. */
  findDiagnostic(file: string, offset: number): GateDiagnostic | null;
  has(file: string): boolean;
}

/** `folder` is an absolute path without links, and the base of relative paths. */
export function createPathCheck(folder: string): PathCheck {
  const isInside = (file: string) => file === folder || file.startsWith(folder + path.sep);

  function findDiagnostic(file: string, offset: number): GateDiagnostic | null {
    if (ELSEWHERE.test(file) || file.includes('\0')) return gateDiagnostics.outside(file, offset);
    const pattern = PATTERN.exec(file);
    const fixed = pattern === null ? file : file.slice(0, file.lastIndexOf('/', pattern.index) + 1);
    const start = path.resolve(folder, fixed);
    try {
      const real = realpathSync(start);
      const links = pattern !== null && isInside(real) ? listLinks(real, isDeep(file, pattern.index)) : [];
      const all = [real, ...links.map((link) => realpathSync(link))];
      return all.every(isInside) ? null : gateDiagnostics.outside(file, offset);
    } catch {
      // A caller must not learn whether a file exists elsewhere.
      return isInside(start) ? gateDiagnostics.missing(file, offset) : gateDiagnostics.outside(file, offset);
    }
  }

  return { findDiagnostic, has: (file) => existsSync(path.resolve(folder, file)) };
}

/** Whether a pattern, from an offset on, could match files in subfolders. */
function isDeep(file: string, from: number): boolean {
  return file.includes('/', from) || file.includes('**');
}

/** Lists the links in a folder, and in its subfolders if `isDeep`. Throws file system errors. */
function listLinks(folder: string, isDeep: boolean): readonly string[] {
  return readdirSync(folder, { recursive: isDeep, withFileTypes: true })
    .filter((entry) => entry.isSymbolicLink())
    .map((entry) => path.join(entry.parentPath, entry.name));
}
