import { present } from '../../invariants/must.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import { printMembers } from '../print/print-members.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern group add-member`: adds users to a group, all or none. */
export const run: RunCommand<'group add-member'> = async (
  context,
  { args: [name, ...userNames], options },
) => {
  const group = await withWorkspace(context, ({ accounts, principal }) =>
    accounts.groups.addMembers(principal, present(name), userNames),
  );
  await printMembers(context, group, options.json);
  return EXIT.done;
};
