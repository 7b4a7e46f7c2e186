import { explainError } from '../actions/explain-error.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import { findTypedPasswordError, readPassword, warnOfPassword } from '../options/new-password.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern admin reset-password`: sets a new password for a user, on the machine of the home. */
export const run: RunCommand<'admin reset-password'> = async (context, { args: [userName], options }) => {
  const passwordIsTyped = !options.passwordStdin;
  const password = passwordIsTyped ? await askPassword(context, userName) : await readPassword(context);
  if (password === null) {
    await context.notices.write('nothing was changed\n');
    return EXIT.failed;
  }
  const user = await withWorkspace(context, ({ accounts, principal }) =>
    accounts.users.resetPassword(principal, userName, { password, passwordIsTyped }),
  ).catch(explainError);
  if (!passwordIsTyped) await warnOfPassword(context, password, user);
  await context.notices.write(`changed the password of ${user.user_name}\n`);
  if (!user.active) await context.notices.write(`${user.user_name} is still disabled\n`);
  return EXIT.done;
};

async function askPassword(context: CliContext, userName: string | undefined): Promise<string | null> {
  const { askNewPassword, canAsk } = await import('../terminal/prompts.ts');
  if (!canAsk(context)) throw new UsageError('a prompt needs a terminal: use --password-stdin');
  const findError = (password: string) => findTypedPasswordError(password, [userName ?? '']);
  return askNewPassword('The new password', 'empty to cancel', findError, context);
}
