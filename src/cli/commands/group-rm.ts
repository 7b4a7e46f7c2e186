import type { RunCommand } from '../command.ts';
import { confirmRemoval } from '../confirm.ts';
import { withWorkspace } from '../with-workspace.ts';

/** `quern group rm`: deletes a group, not its members; asks first where somebody can be asked. */
export const run: RunCommand = (context, { args, options }) =>
  withWorkspace(context, async ({ accounts: { groups } }) => {
    const { name } = await groups.get(args[0]!);
    const question = `Delete the group ${name}? Its members stay.`;
    return confirmRemoval(context, question, options.yes === true, () => groups.delete(name));
  });
