import type { UserBody } from '../../identity/accounts/user-body.ts';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import { readText } from './read-text.ts';

/**
 * The reason to refuse a typed password for a user with these names
 * (docs/reference/passwords.md#easily-guessed-passwords), or null.
 */
export async function findTypedPasswordError(
  password: string,
  names: readonly string[],
): Promise<string | null> {
  const { findPasswordError } = await import('../../identity/passwords/passwords.ts');
  const { findPasswordWeakness } = await import('../../identity/passwords/find-password-weakness.ts');
  return findPasswordError(password) ?? findPasswordWeakness(password, names);
}

/** Reads a password from standard input, which must not be a terminal: it would show the password. */
export async function readPassword(context: CliContext): Promise<string> {
  if (context.stdin.isTTY) {
    const message = '--password-stdin needs a pipe';
    throw new UsageError(message, EXIT.usage, 'to type it hidden, run `quern admin reset-password USER`');
  }
  const password = (await readText(context, '-', 'exact')).replace(/\r?\n$/, '');
  if (password === '') throw new UsageError('standard input has no password');
  if (isUntypable(password)) throw new UsageError('standard input has several lines: pass only the password');
  return password;
}

/** Warns if the new password of a user, if any, is easily guessed. */
export async function warnOfPassword(
  context: CliContext,
  password: string | undefined,
  { user_name, email }: Pick<UserBody, 'user_name' | 'email'>,
): Promise<void> {
  if (password !== undefined) await warnOfWeakness(context, password, [user_name, email ?? '']);
}

/** Whether a password cannot be typed, because fields and prompts do not accept line breaks. */
export function isUntypable(password: string): boolean {
  return /[\r\n]/.test(password);
}

/** Warns about an easily guessed password, which is accepted anyway: no user is present to choose another one. */
export async function warnOfWeakness(
  context: CliContext,
  password: string,
  names: readonly string[],
): Promise<void> {
  const { findPasswordWeakness } = await import('../../identity/passwords/find-password-weakness.ts');
  const weakness = await findPasswordWeakness(password, names);
  if (weakness !== null) await context.stderr.write(`warning: the password is easily guessed: ${weakness}\n`);
}
