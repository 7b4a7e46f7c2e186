import { elementAt } from '../../invariants/must.ts';
import { explainRefusal } from '../actions/explain-refusal.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import type { RunCommand } from '../context/command.ts';
import { EXIT } from '../context/exit-codes.ts';

/** `quern group create`: makes a group without members. */
export const run: RunCommand = async (context, { args, options }) => {
  const displayName = typeof options.displayName === 'string' ? options.displayName : undefined;
  const group = await withWorkspace(context, ({ accounts }) =>
    accounts.groups.create(elementAt(args, 0), displayName).catch(explainRefusal),
  );
  if (options.json === true) await context.stdout.write(`${JSON.stringify(group)}\n`);
  else await context.stderr.write(`made the group ${group.name}\n`);
  return EXIT.done;
};
