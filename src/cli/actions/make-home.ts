import { readVariable } from '../../settings/read-settings.ts';
import { SETTINGS } from '../../settings/table.ts';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import { findTypedPasswordError, isUntypable, warnOfWeakness } from '../options/new-password.ts';
import { explainError } from './explain-error.ts';

interface HomeMaking {
  /** The first administrator's name. */
  readonly userName: string;
  readonly email: string | undefined;
  /** Whether the password may be asked for on a terminal. */
  readonly mayAsk: boolean;
}

/**
 * Creates a home with its first administrator. The password comes from the setting or a prompt; without both, there is
 * no password.
 */
export async function makeHome(
  context: CliContext,
  home: string,
  { userName, email, mayAsk }: HomeMaking,
): Promise<void> {
  const { createHome } = await import('../../workspace/setup/create-home.ts');
  const password = await readPassword(context, [userName, email ?? ''], mayAsk);
  await createHome(home, { userName, email, password }).catch(explainError);
  await context.notices.write(`created a home in ${home}, owned by ${userName}\n`);
}

async function readPassword(
  context: CliContext,
  names: readonly string[],
  mayAsk: boolean,
): Promise<string | null> {
  const { findPasswordError } = await import('../../identity/passwords/passwords.ts');
  const { variable } = SETTINGS.adminPassword;
  const password = readVariable(SETTINGS.adminPassword, context.env);
  if (password) {
    const error = findPasswordError(password);
    if (error !== null) throw new UsageError(`${variable}: ${error}`);
    if (isUntypable(password)) throw new UsageError(`${variable}: a password must be on one line`);
    await warnOfWeakness(context, password, names);
    return password;
  }
  if (!mayAsk) return null;
  const { askNewPassword, canAsk } = await import('../terminal/prompts.ts');
  if (!canAsk(context)) return null;
  const findError = (password: string) => findTypedPasswordError(password, names);
  return askNewPassword(
    'Password for the web console',
    'Enter: none, you can set it later',
    findError,
    context,
  );
}
