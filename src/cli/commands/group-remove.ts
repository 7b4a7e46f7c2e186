import type { RunCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { printMembers } from '../print-members.ts';
import { withWorkspace } from '../with-workspace.ts';

/** `quern group remove`: takes users out of a group, all of them or none. */
export const run: RunCommand = async (context, { args: [name, ...userNames], options }) => {
  const group = await withWorkspace(context, ({ accounts }) =>
    accounts.groups.removeMembers(name!, userNames),
  );
  await printMembers(context, group, options.json === true);
  return EXIT.done;
};
