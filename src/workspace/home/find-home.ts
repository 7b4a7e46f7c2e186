import { statSync } from 'node:fs';
import path from 'node:path';
import { readVariable } from '../../settings/read-settings.ts';
import { SETTINGS } from '../../settings/table.ts';
import { homeAt } from './home.ts';

export interface HomeSearch {
  /** The value of the option, if given. */
  readonly flag?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly userHome: string;
}

/** The name of a home folder inside another folder. */
const HOME_NAME = '.quern';

/**
 * Finds the home of a command: that of the option, else of the variable, else the nearest `.quern/` in a parent folder,
 * else `~/.quern`. Returns its absolute path; the folder may be missing.
 */
export function findHome(search: HomeSearch): string {
  const { cwd, userHome } = search;
  const named = findName(search);
  if (named !== undefined) return findNamedHome(cwd, named);
  for (let folder = path.resolve(cwd); ; folder = path.dirname(folder)) {
    const candidate = path.join(folder, HOME_NAME);
    if (statSync(candidate, { throwIfNoEntry: false })?.isDirectory()) return candidate;
    if (folder === path.dirname(folder)) return path.join(userHome, HOME_NAME);
  }
}

/** Whether the option or the variable names a home. */
export function isHomeNamed(search: HomeSearch): boolean {
  return findName(search) !== undefined;
}

function findName({ flag, env }: HomeSearch): string | undefined {
  return flag ?? readVariable(SETTINGS.home, env);
}

/** Returns the folder if it is a home, else the `.quern/` in it, else the folder, where a home can be created. */
function findNamedHome(cwd: string, named: string): string {
  const folder = path.resolve(cwd, named);
  const inner = path.join(folder, HOME_NAME);
  return !isThere(homeAt(folder).catalog) && isThere(inner, true) ? inner : folder;
}

/** Also false where this cannot be determined: the folder itself is refused later. */
function isThere(place: string, asFolder = false): boolean {
  try {
    const stats = statSync(place, { throwIfNoEntry: false });
    return stats !== undefined && (!asFolder || stats.isDirectory());
  } catch {
    return false;
  }
}
