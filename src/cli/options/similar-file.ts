import { readdirSync } from 'node:fs';
import path from 'node:path';
import { suggest } from '../../text/suggest.ts';
import type { CliContext } from '../context/context.ts';

/** The advice to use a file with a similar name in the same folder, for a file that does not exist. */
export function adviseSimilarFile({ cwd }: Pick<CliContext, 'cwd'>, name: string): string | undefined {
  const folder = path.dirname(name);
  const near = suggest(path.basename(name), listNames(path.resolve(cwd, folder)));
  return near === undefined ? undefined : `did you mean \`${path.join(folder, near)}\`?`;
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // A folder that cannot be read has no names to suggest.
    return [];
  }
}
