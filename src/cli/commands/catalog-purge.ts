import { elementAt } from '../../invariants/must.ts';
import { confirmDeletion } from '../actions/confirm-deletion.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { getRevision } from '../options/get-revision.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern catalog purge`: removes a former content from the home permanently. */
export const run: RunCommand<'catalog purge'> = (context, { args, options }) => {
  const path = elementAt(args, 0);
  const revision = getRevision(options, path);
  return withWorkspace(context, async ({ history, principal }) => {
    // Refuses a hidden or missing path before the question.
    history.list(principal, path, { limit: 1 });
    const what = `revision ${revision} of ${path}`;
    return confirmDeletion(context, options.yes, {
      what,
      consequence: 'Its content cannot be restored.',
      run: async () => {
        await history.purge(principal, path, revision);
        return what;
      },
    });
  });
};
