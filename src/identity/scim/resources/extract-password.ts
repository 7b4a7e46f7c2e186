import { findPasswordWeakness } from '../../passwords/find-password-weakness.ts';
import { findPasswordError } from '../../passwords/passwords.ts';
import { scimErrors } from '../protocol/errors.ts';
import type { ScimObject } from '../protocol/resource.ts';
import type { ScimContext } from './scim-context.ts';
import { isExternal } from './user-document.ts';

/** A password that was hashed. */
export interface ExtractedPassword {
  /** Undefined where there was none to take. */
  readonly hash: string | undefined;
  /** What the log is told once the password is set: it is easily guessed. Null for one that is not. */
  readonly warning: string | null;
}

/** Of a document without one. */
export const NO_PASSWORD: ExtractedPassword = { hash: undefined, warning: null };

/** Whether a document has a password for its user, who does not sign in elsewhere. */
export function hasPassword(document: ScimObject): document is ScimObject & { readonly password: string } {
  return typeof document.password === 'string' && isExternal(document) !== true;
}

/**
 * The password that a document gives its user; none for a user who signs in elsewhere. One that is easily guessed is taken
 * nevertheless: nobody is there who could think of another. Throws 400, and 503 when too many passwords are being hashed.
 */
export async function extractPassword(
  { passwords }: Pick<ScimContext, 'passwords'>,
  document: ScimObject,
): Promise<ExtractedPassword> {
  if (!hasPassword(document)) return NO_PASSWORD;
  const { password, userName, emails = [] } = document;
  const fault = findPasswordError(password);
  if (fault !== null) throw scimErrors.invalidValue('password', `was refused: ${fault}`);
  const addresses = (emails as readonly ScimObject[]).map(({ value }) => String(value));
  const weakness = await findPasswordWeakness(password, [String(userName), ...addresses]);
  const warning = weakness && `the password that was set for ${userName} is easily guessed: ${weakness}`;
  return { hash: await passwords.hash(password), warning };
}
