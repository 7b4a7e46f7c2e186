import { elementAt } from '../../invariants/must.ts';
import { awaitEnd, listRunningOf } from '../../workspace/runs/await-end.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import { printAmounts } from '../print/print-amounts.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern user stop`: disables a user and ends the user's sessions, tokens and executions. */
export const run: RunCommand<'user stop'> = async (context, { args, options }) => {
  const name = elementAt(args, 0);
  const stopped = await withWorkspace(context, async ({ accounts: { access }, executions, principal }) => {
    const list = async () => (await executions.list(principal)) ?? [];
    const before = await list();
    const ended = access.stop(principal, name);
    // The server of the home cancels them, because their user is disabled.
    return { ...ended, ...(await awaitEnd(listRunningOf(before, ended.user_name), list)) };
  });
  if (options.json) {
    await context.stdout.write(`${JSON.stringify(stopped)}\n`);
    return EXIT.done;
  }
  const { user_name, ending, ...counts } = stopped;
  await context.notices.write(`disabled ${user_name}, and ended ${printAmounts(counts)}\n`);
  for (const id of ending)
    await context.notices.write(`the execution ${id} has not ended yet: see \`quern ps\`\n`);
  return EXIT.done;
};
