import { passwordErrors, passwordRefused } from '../errors.ts';
import { findPasswordWeakness } from './find-password-weakness.ts';
import { findPasswordFault } from './passwords.ts';

/** The circumstances in which a new password is set. */
interface PasswordUse {
  /** Whether a person has just typed it and can choose another: one that is easily guessed is then refused. */
  readonly isTyped: boolean;
  /** The user name and e-mail address of its user. */
  readonly names: readonly string[];
}

/** Throws 400 for an invalid password (identity 1). */
export async function checkPassword(password: string, { isTyped, names }: PasswordUse): Promise<void> {
  const fault = findPasswordFault(password);
  if (fault !== null) throw passwordRefused(fault);
  const weakness = isTyped ? await findPasswordWeakness(password, names) : null;
  if (weakness !== null) throw passwordErrors.weak(weakness);
}
