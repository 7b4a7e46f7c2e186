import type { RunCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { explainRefusal } from '../explain-refusal.ts';
import { warnOfPassword } from '../new-password.ts';
import { readUser } from '../read-user.ts';
import { UsageError } from '../usage-error.ts';
import { withWorkspace } from '../with-workspace.ts';

/** `quern user set`: changes what is said of an account, and leaves the rest. */
export const run: RunCommand = async (context, { args, options }) => {
  const settings = await readUser(context, options);
  if (Object.values(settings).every((value) => value === undefined)) {
    throw new UsageError('nothing to change: say what, as with --email or --role');
  }
  const user = await withWorkspace(context, ({ accounts }) =>
    accounts.users.set(args[0]!, settings).catch(explainRefusal),
  );
  await warnOfPassword(context, settings.password, user);
  if (options.json === true) await context.stdout.write(`${JSON.stringify(user)}\n`);
  else await context.stderr.write(`changed the user ${user.user_name}\n`);
  return EXIT.done;
};
