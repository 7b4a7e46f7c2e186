import type { RunCommand } from '../command.ts';
import { confirmDeletion } from '../confirm-deletion.ts';
import { withWorkspace } from '../with-workspace.ts';

/** `quern group rm`: deletes a group, not its members. */
export const run: RunCommand = (context, { args, options }) =>
  withWorkspace(context, async ({ accounts: { groups } }) => {
    const { name } = await groups.get(args[0]!);
    const what = `the group ${name}`;
    return confirmDeletion(context, options.yes === true, {
      what,
      consequence: 'Its grants are deleted, too; its members stay.',
      run: async () => {
        await groups.delete(name);
        return what;
      },
    });
  });
