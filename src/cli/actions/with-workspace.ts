import type { WorkspaceApi } from '../../workspace/api/workspace-api.ts';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';

/** Opens the home that a command works on, as the user it names, and closes it when `use` has ended. */
export async function withWorkspace<T>(
  context: CliContext,
  use: (workspace: WorkspaceApi) => Promise<T>,
): Promise<T> {
  const { openWorkspace } = await import('../../workspace/instance/open-workspace.ts');
  const { findHome } = await import('../../workspace/home/find-home.ts');
  const { hasHome } = await import('../../workspace/setup/create-home.ts');
  const home = findHome({ ...context, flag: context.home });
  if (!hasHome(home)) {
    const isNamed = context.home !== undefined || context.env.QUERN_HOME;
    if (!isNamed) throw new UsageError('no home here: run `quern init`');
    throw new UsageError(`no home in ${home}: run \`quern --home ${home} init --empty\``);
  }
  const workspace = openWorkspace({
    home,
    as: context.as,
    masterKey: context.env.QUERN_MASTER_KEY,
    baseUrl: context.env.QUERN_BASE_URL || undefined,
    semanticConnection: context.env.QUERN_SEMANTIC_DEFAULT_CONNECTION,
  });
  const forget = context.onExit(() => workspace.abandon());
  try {
    return await use(workspace);
  } finally {
    forget();
    await workspace.close();
  }
}
