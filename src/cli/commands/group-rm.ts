import { elementAt } from '../../invariants/must.ts';
import { confirmDeletion } from '../actions/confirm-deletion.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern group rm`: deletes a group, but not its members. */
export const run: RunCommand<'group rm'> = (context, { args, options }) =>
  withWorkspace(context, ({ accounts: { groups }, principal }) => {
    const { name } = groups.get(principal, elementAt(args, 0));
    const what = `the group ${name}`;
    return confirmDeletion(context, options.yes, {
      what,
      consequence: 'Its grants are deleted, too; its members stay.',
      run: () => {
        groups.delete(principal, name);
        return what;
      },
    });
  });
