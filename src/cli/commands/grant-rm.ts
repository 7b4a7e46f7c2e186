import { elementAt } from '../../invariants/must.ts';
import { explainError } from '../actions/explain-error.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern grant rm`: revokes the grant of a user, a group or everyone on one target. */
export const run: RunCommand<'grant rm'> = async (context, { args }) => {
  const [subject, target] = [elementAt(args, 0), elementAt(args, 1)];
  await withWorkspace(context, ({ accounts, principal }) =>
    accounts.grants.delete(principal, subject, target),
  ).catch(explainError);
  await context.notices.write(`revoked the grant of ${subject} on ${target}\n`);
  return EXIT.done;
};
