import type { ScriptOutcome, ScriptsApi } from '../workspace/scripts.ts';
import type { CommandInput } from './command.ts';
import type { CliContext } from './context.ts';
import { unpackOutcome } from './unpack-outcome.ts';
import { UsageError } from './usage-error.ts';
import { withWorkspace } from './with-workspace.ts';

/**
 * Lets `use` work on the scripts that `paths` name: those of the catalog, or of the disk, which need no home.
 * Throws a UsageError, and a ScriptError for scripts with faults.
 */
export async function withScripts<T>(
  context: CliContext,
  paths: readonly string[],
  options: CommandInput['options'],
  use: (scripts: ScriptsApi) => ScriptOutcome<T>,
): Promise<T> {
  const inCatalog = paths.filter((path) => path.startsWith('@'));
  if (inCatalog.length > 0 && inCatalog.length < paths.length) {
    throw new UsageError('name paths of the catalog or paths on disk, not both at once');
  }
  const outcome =
    inCatalog.length > 0
      ? await withWorkspace(context, async (workspace) => use(await workspace.openScripts()))
      : use(await openDisk(context, options));
  return unpackOutcome(outcome);
}

async function openDisk({ cwd }: CliContext, { project }: CommandInput['options']): Promise<ScriptsApi> {
  const { openFolder } = await import('../workspace/open-folder.ts');
  return openFolder(cwd, (project as readonly string[] | undefined) ?? []);
}
