import type { RunCommand } from '../command.ts';
import { confirmRemoval } from '../confirm.ts';
import { withWorkspace } from '../with-workspace.ts';

/** `quern user rm`: deletes an account with what is the user's alone; asks first where somebody can be asked. */
export const run: RunCommand = (context, { args, options }) =>
  withWorkspace(context, async ({ accounts: { users } }) => {
    const { user_name } = await users.get(args[0]!);
    const question = `Delete the user ${user_name}, the user's tokens, and everything in the user's @Personal?`;
    return confirmRemoval(context, question, options.yes === true, () => users.delete(user_name));
  });
