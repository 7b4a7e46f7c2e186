import { ServiceError } from '../../errors/service-error.ts';
import { suggest } from '../../text/suggest.ts';
import type { Workspace } from '../../workspace/instance/open-workspace.ts';
import type { SessionPlace } from '../../workspace/instance/session-place.ts';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import { findHomeInUse } from './find-home-in-use.ts';

/**
 * Opens the home of a command as the acting user, and closes it when `use` has ended. `place` is that of an interactive
 * session.
 */
export async function withWorkspace<T>(
  context: CliContext,
  use: (workspace: Workspace) => Promise<T> | T,
  place?: SessionPlace,
): Promise<T> {
  const { openWorkspace } = await import('../../workspace/instance/open-workspace.ts');
  const home = await findHomeInUse(context);
  const { readSettings } = await import('../../workspace/home/home-config.ts');
  const findSettings = () => readSettings({ home, env: context.env });
  const workspace = openWorkspace({ home, as: context.as, findSettings, place });
  const forget = context.onExit(() => workspace.abandon());
  try {
    return await use(workspace);
  } catch (error) {
    throw suggestPath(workspace, error);
  } finally {
    forget();
    await workspace.close();
  }
}

type ItemEntry = ReturnType<Workspace['catalog']['list']>['data'][number];

/** For a catalog path that does not exist, the error with a similar name from its folder; else the error itself. */
function suggestPath({ catalog, principal }: Workspace, error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.code !== 'path_not_found') return error;
  const path = error.detail.replace('Path not found: ', '');
  const near = findNear((folder) => catalog.list(principal, folder).data, path);
  return near === undefined ? error : new UsageError(error.detail, EXIT.failed, `did you mean \`${near}\`?`);
}

/**
 * Finds a path that resembles a wrong one. Returns the similar name of an item if only the last name is wrong, else the
 * path with a similar folder; undefined for none.
 */
function findNear(list: (folder?: string) => readonly ItemEntry[], path: string): string | undefined {
  const names = path.replace(/^\/|\/$/g, '').split('/');
  for (const [at, name] of names.entries()) {
    const parent = names.slice(0, at).join('/');
    try {
      const known = list(parent === '' ? undefined : parent).map((entry) => entry.name);
      if (known.includes(name)) continue;
      const near = suggest(name, known);
      if (near === undefined || at === names.length - 1) return near;
      return names.with(at, near).join('/');
    } catch {
      // A script has no items, and a folder without VIEW lists none.
      return undefined;
    }
  }
  // An existing namespace is not suggested; some requests do not accept it.
  return undefined;
}
