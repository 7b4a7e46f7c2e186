import { elementAt } from '../../invariants/must.ts';
import { explainError } from '../actions/explain-error.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern group create`: creates a group without members. */
export const run: RunCommand<'group create'> = async (context, { args, options }) => {
  const displayName = options.displayName;
  const group = await withWorkspace(context, ({ accounts, principal }) =>
    accounts.groups.create(principal, elementAt(args, 0), displayName),
  ).catch(explainError);
  if (options.json) await context.stdout.write(`${JSON.stringify(group)}\n`);
  else await context.notices.write(`created the group ${group.name}\n`);
  return EXIT.done;
};
