import { statSync } from 'node:fs';
import path from 'node:path';

export interface HomeSearch {
  /** `--home`, when given. */
  readonly flag?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly userHome: string;
}

/**
 * Which home a command works on: `--home`, else `QUERN_HOME`, else the nearest `.quern/` upwards, else
 * `~/.quern`. The folder need not exist; returns its absolute path.
 */
export function findHome({ flag, env, cwd, userHome }: HomeSearch): string {
  const named = flag ?? (env.QUERN_HOME || undefined);
  if (named !== undefined) return path.resolve(cwd, named);
  for (let folder = path.resolve(cwd); ; folder = path.dirname(folder)) {
    const candidate = path.join(folder, '.quern');
    if (statSync(candidate, { throwIfNoEntry: false })?.isDirectory()) return candidate;
    if (folder === path.dirname(folder)) return path.join(userHome, '.quern');
  }
}
