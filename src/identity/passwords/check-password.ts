import { passwordErrors, passwordRefused } from '../errors.ts';
import { findPasswordWeakness } from './find-password-weakness.ts';
import { findPasswordFault } from './passwords.ts';

/** What is known about a new password besides. */
interface PasswordUse {
  /** Whether a person has just typed it, and can think of another: one that is easily guessed is refused. */
  readonly isTyped: boolean;
  /** Of its user: user name, e-mail. */
  readonly names: readonly string[];
}

/** Throws 400 for a password that cannot be one (identity 1). */
export async function checkPassword(password: string, { isTyped, names }: PasswordUse): Promise<void> {
  const fault = findPasswordFault(password);
  if (fault !== null) throw passwordRefused(fault);
  const weakness = isTyped ? await findPasswordWeakness(password, names) : null;
  if (weakness !== null) throw passwordErrors.weak(weakness);
}
