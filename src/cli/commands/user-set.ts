import { elementAt } from '../../invariants/must.ts';
import { explainError } from '../actions/explain-error.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import { warnOfPassword } from '../options/new-password.ts';
import { readUser } from '../options/read-user.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern user set`: changes the given properties of an account only. */
export const run: RunCommand<'user set'> = async (context, { args, options }) => {
  const settings = await readUser(context, options);
  if (Object.values(settings).every((value) => value === undefined)) {
    throw new UsageError('nothing to change: use an option such as --email or --role');
  }
  const user = await withWorkspace(context, ({ accounts, principal }) =>
    accounts.users.set(principal, elementAt(args, 0), settings),
  ).catch(explainError);
  await warnOfPassword(context, settings.password, user);
  if (options.json) await context.stdout.write(`${JSON.stringify(user)}\n`);
  else await context.notices.write(`changed the user ${user.user_name}\n`);
  return EXIT.done;
};
