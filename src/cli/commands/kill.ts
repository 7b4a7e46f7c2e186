import type { RunCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { withWorkspace } from '../with-workspace.ts';

/** `quern kill`: cancels an execution on the server of the home. */
export const run: RunCommand = async (context, { args }) => {
  const id = args[0]!;
  await withWorkspace(context, ({ executions }) => executions.cancel(id));
  await context.stderr.write(`cancelled ${id}\n`);
  return EXIT.done;
};
