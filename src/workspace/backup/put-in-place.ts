import { existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { codeOf } from '../../invariants/narrow.ts';
import { syncFolder } from '../../store/files/backup.ts';
import { backupErrors } from './errors.ts';

/** Some file systems have no links. */
const NO_LINKS = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'];

/**
 * Moves a finished file to its final path. Throws ServiceError 409 for an existing file that may not be replaced, and
 * the file system's errors.
 */
export function putInPlace(aside: string, target: string, replace: boolean): void {
  if (replace || !linkInPlace(aside, target)) {
    if (!replace && existsSync(target)) throw backupErrors.targetExists(target);
    renameSync(aside, target);
  }
  syncFolder(path.dirname(target));
}

/** Unlike a rename, a link never replaces another file; returns false where links are not supported. */
function linkInPlace(aside: string, target: string): boolean {
  try {
    linkSync(aside, target);
  } catch (error) {
    const code = codeOf(error) ?? '';
    if (code === 'EEXIST') throw backupErrors.targetExists(target);
    if (!NO_LINKS.includes(code)) throw error;
    return false;
  }
  rmSync(aside);
  return true;
}
