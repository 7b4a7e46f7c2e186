import { elementAt } from '../../invariants/must.ts';
import { explainError } from '../actions/explain-error.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern grant restrict`: stops or restores the inheritance of grants from parent folders. */
export const run: RunCommand<'grant restrict'> = async (context, { args, options }) => {
  const answer = await withWorkspace(context, ({ accounts, principal }) =>
    accounts.grants.restrict(principal, elementAt(args, 0), !options.off),
  ).catch(explainError);
  const state = answer.restricted ? 'is restricted' : 'is no longer restricted';
  if (options.json) await context.stdout.write(`${JSON.stringify(answer)}\n`);
  else await context.notices.write(`${answer.target} ${state}\n`);
  return EXIT.done;
};
