import type { UserBody } from '../../workspace/api/accounts-api.ts';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import { readText } from './read-text.ts';

/** Why a password is refused that somebody types for a user of these names (identity 1), or null. */
export async function findTypedFault(password: string, names: readonly string[]): Promise<string | null> {
  const { findPasswordFault, findPasswordWeakness } = await import('../../workspace/setup/create-home.ts');
  return findPasswordFault(password) ?? findPasswordWeakness(password, names);
}

/** The password that standard input holds. */
export async function readPassword(context: CliContext): Promise<string> {
  const password = (await readText(context, '-', 'exact')).replace(/\r?\n$/, '');
  if (password === '') throw new UsageError('standard input is empty: it must hold the password');
  if (isUntypable(password)) throw new UsageError('standard input must hold the password alone, on one line');
  return password;
}

/** Says when a user was given a password, if any, that is easily guessed. */
export async function warnOfPassword(
  context: CliContext,
  password: string | undefined,
  { user_name, email }: Pick<UserBody, 'user_name' | 'email'>,
): Promise<void> {
  if (password !== undefined) await warnOfWeakness(context, password, [user_name, email ?? '']);
}

/** Whether nobody could sign in with a password, since no field and no prompt takes its line breaks. */
export function isUntypable(password: string): boolean {
  return /[\r\n]/.test(password);
}

/** Says when a password is easily guessed, which is taken all the same: nobody is there to think of another. */
export async function warnOfWeakness(
  context: CliContext,
  password: string,
  names: readonly string[],
): Promise<void> {
  const { findPasswordWeakness } = await import('../../workspace/setup/create-home.ts');
  const weakness = await findPasswordWeakness(password, names);
  if (weakness !== null) await context.stderr.write(`warning: the password is easily guessed: ${weakness}\n`);
}
