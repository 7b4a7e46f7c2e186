import { elementAt } from '../../invariants/must.ts';
import { explainError } from '../actions/explain-error.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import type { RunCommand } from '../table/commands.ts';

const LEVELS = ['view', 'edit', 'manage', 'use'];

/** `quern grant add`: grants a level to a user, a group or everyone. */
export const run: RunCommand<'grant add'> = async (context, { args, options }) => {
  const [subject, level, target] = [elementAt(args, 0), elementAt(args, 1), elementAt(args, 2)];
  if (!LEVELS.includes(level.toLowerCase())) {
    throw new UsageError(`unknown level ${level}: use view, edit or manage; for a connection, use or manage`);
  }
  const grant = await withWorkspace(context, ({ accounts, principal }) =>
    accounts.grants.set(principal, { subject, level: level.toUpperCase(), target }),
  ).catch(explainError);
  if (options.json) await context.stdout.write(`${JSON.stringify(grant)}\n`);
  else await context.notices.write(`${grant.subject} has ${grant.level} on ${grant.target}\n`);
  return EXIT.done;
};
