import type { Workspace } from '../../workspace/instance/open-workspace.ts';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';

/**
 * Refuses `--unrestricted` for anyone but the owner of the home, and while a server has the home open, because the
 * server runs all texts with its restrictions. Throws a UsageError.
 */
export async function checkUnrestricted(
  { as }: Pick<CliContext, 'as'>,
  { executions, principal }: Workspace,
): Promise<void> {
  if (as !== undefined) {
    throw new UsageError(`--unrestricted is for the owner of the home: omit --as ${as}`);
  }
  if ((await executions.list(principal)) === null) return;
  throw new UsageError('--unrestricted needs a home without a server: stop it first');
}
