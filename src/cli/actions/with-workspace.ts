import type { WorkspaceApi } from '../../workspace/api/workspace-api.ts';
import type { CliContext } from '../context/context.ts';
import { findHomeInUse } from './find-home-in-use.ts';
import { suggestPath } from './suggest-path.ts';

/** Opens the home of a command as the acting user, and closes it when `use` has ended. */
export async function withWorkspace<T>(
  context: CliContext,
  use: (workspace: WorkspaceApi) => Promise<T>,
): Promise<T> {
  const { openWorkspace } = await import('../../workspace/instance/open-workspace.ts');
  const home = await findHomeInUse(context);
  const { readSettings } = await import('../../workspace/home/home-config.ts');
  const findSettings = () => readSettings({ home, env: context.env });
  const workspace = openWorkspace({ home, as: context.as, findSettings });
  const forget = context.onExit(() => workspace.abandon());
  try {
    return await use(workspace);
  } catch (error) {
    throw await suggestPath(workspace, error);
  } finally {
    forget();
    await workspace.close();
  }
}
