import type { DeletedItemBody } from '../../catalog/bin/deleted-body.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { elementAt } from '../../invariants/must.ts';
import type { Workspace } from '../../workspace/instance/open-workspace.ts';
import { confirmDeletion } from '../actions/confirm-deletion.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import { getRevision } from '../options/get-revision.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern catalog purge`: removes a former content from the home permanently. */
export const run: RunCommand<'catalog purge'> = (context, { args, options }) => {
  const path = elementAt(args, 0);
  const revision = getRevision(options, path);
  return withWorkspace(context, async (workspace) => {
    const { history, principal } = workspace;
    checkPath(workspace, path);
    const what = `revision ${revision} of ${path}`;
    return confirmDeletion(context, options.yes, {
      what,
      consequence: 'Its content cannot be restored.',
      run: async () => {
        const deleted = await history.purge(principal, path, revision);
        for (const item of deleted) await context.stderr.write(printRemains(item));
        return what;
      },
    });
  });
};

/** Refuses a hidden or missing path before the question, and says so if the bin has its item. */
function checkPath({ history, bin, principal }: Workspace, path: string): void {
  try {
    history.list(principal, path, { limit: 1 });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'path_not_found') throw error;
    const deleted = bin.list(principal, { q: path }).find((item) => item.path === path);
    if (deleted === undefined) throw error;
    const { id } = deleted;
    const advice = `the bin has it: delete it with \`quern catalog rm ${id} --forever\`, or restore it with \`quern catalog undelete ${id}\``;
    throw new UsageError(error.detail, EXIT.failed, advice);
  }
}

function printRemains({ id, path }: DeletedItemBody): string {
  return `warning: the bin has this content, too, in ${path}: delete it with \`quern catalog rm ${id} --forever\`\n`;
}
