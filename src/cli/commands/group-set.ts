import { elementAt } from '../../invariants/must.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern group set`: changes the names of a group. */
export const run: RunCommand<'group set'> = async (context, { args, options }) => {
  const { name, displayName } = options;
  if (name === undefined && displayName === undefined) {
    throw new UsageError('nothing to change: use --name or --display-name');
  }
  const group = await withWorkspace(context, ({ accounts, principal }) =>
    accounts.groups.set(principal, elementAt(args, 0), { name, displayName }),
  );
  if (options.json) await context.stdout.write(`${JSON.stringify(group)}\n`);
  else await context.notices.write(`changed the group ${group.name}\n`);
  return EXIT.done;
};
