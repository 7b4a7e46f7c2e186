import { elementAt } from '../../invariants/must.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern kill`: cancels an execution on the server of the home. */
export const run: RunCommand<'kill'> = async (context, { args }) => {
  const id = elementAt(args, 0);
  await withWorkspace(context, ({ executions, principal }) => executions.cancel(principal, id));
  await context.notices.write(`cancelled ${id}\n`);
  return EXIT.done;
};
