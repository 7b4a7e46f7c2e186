import { elementAt } from '../../invariants/must.ts';
import { explainError } from '../actions/explain-error.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import { warnOfPassword } from '../options/new-password.ts';
import { readUser } from '../options/read-user.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern user create`: creates an account, without a password unless one is given. */
export const run: RunCommand<'user create'> = async (context, { args, options }) => {
  const settings = await readUser(context, options);
  const user = await withWorkspace(context, ({ accounts, principal }) =>
    accounts.users.create(principal, elementAt(args, 0), settings),
  ).catch(explainError);
  await warnOfPassword(context, settings.password, user);
  if (options.json) await context.stdout.write(`${JSON.stringify(user)}\n`);
  else await context.notices.write(`created the user ${user.user_name} (${user.role})\n`);
  return EXIT.done;
};
