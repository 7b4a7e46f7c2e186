import { passwordErrors, passwordRefused } from '../errors.ts';
import { findPasswordWeakness } from './find-password-weakness.ts';
import { findPasswordError } from './passwords.ts';

/** The circumstances in which a new password is set. */
interface PasswordUse {
  /**
   * Whether a person has just typed the password and can choose another one. If so, an easily guessed password is
   * refused.
   */
  readonly isTyped: boolean;
  /** The user name and e-mail address of its user. */
  readonly names: readonly string[];
}

/** Throws 400 for an invalid password (docs/reference/passwords.md#rules). */
export async function checkPassword(password: string, { isTyped, names }: PasswordUse): Promise<void> {
  const error = findPasswordError(password);
  if (error !== null) throw passwordRefused(error);
  const weakness = isTyped ? await findPasswordWeakness(password, names) : null;
  if (weakness !== null) throw passwordErrors.weak(weakness);
}
