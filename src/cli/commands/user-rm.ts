import { elementAt } from '../../invariants/must.ts';
import { confirmDeletion } from '../actions/confirm-deletion.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern user rm`: deletes an account with its tokens and its @Personal. */
export const run: RunCommand<'user rm'> = (context, { args, options }) =>
  withWorkspace(context, ({ accounts: { users }, principal }) => {
    const { user_name } = users.get(principal, elementAt(args, 0));
    return confirmDeletion(context, options.yes, {
      what: `the user ${user_name}`,
      consequence: "The user's tokens and everything in the user's @Personal are deleted, too.",
      run: () => {
        users.delete(principal, user_name);
        return `the user ${user_name}, the user's tokens, and everything in the user's @Personal`;
      },
    });
  });
