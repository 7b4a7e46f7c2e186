import type { RunCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { printMembers } from '../print-members.ts';
import { withWorkspace } from '../with-workspace.ts';

/** `quern group add`: puts users into a group, all of them or none. */
export const run: RunCommand = async (context, { args: [name, ...userNames], options }) => {
  const group = await withWorkspace(context, ({ accounts }) => accounts.groups.addMembers(name!, userNames));
  await printMembers(context, group, options.json === true);
  return EXIT.done;
};
