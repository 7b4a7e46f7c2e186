import { present } from '../../invariants/must.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import type { RunCommand } from '../context/command.ts';
import { EXIT } from '../context/exit-codes.ts';
import { printMembers } from '../print/print-members.ts';

/** `quern group add`: puts users into a group, all of them or none. */
export const run: RunCommand = async (context, { args: [name, ...userNames], options }) => {
  const group = await withWorkspace(context, ({ accounts }) =>
    accounts.groups.addMembers(present(name), userNames),
  );
  await printMembers(context, group, options.json === true);
  return EXIT.done;
};
