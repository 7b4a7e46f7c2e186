import { findPasswordWeakness } from '../find-password-weakness.ts';
import { findPasswordFault } from '../passwords.ts';
import { scimErrors } from './errors.ts';
import type { ScimObject } from './resource.ts';
import type { ScimClient, ScimContext } from './scim-context.ts';
import { isExternal } from './user-document.ts';

/**
 * The hash of the password that a document gives its user; undefined for none, and for a user who signs in elsewhere. One
 * that is easily guessed is told to the log and taken: nobody is there who could think of another. Throws 400, and 503
 * when too many passwords are being hashed.
 */
export async function takePassword(
  { passwords }: Pick<ScimContext, 'passwords'>,
  { warn }: Pick<ScimClient, 'warn'>,
  document: ScimObject,
): Promise<string | undefined> {
  const { password, userName } = document;
  if (typeof password !== 'string' || isExternal(document) === true) return undefined;
  const fault = findPasswordFault(password);
  if (fault !== null) throw scimErrors.invalidValue('password', `was refused: ${fault}`);
  const weakness = await findPasswordWeakness(password, [String(userName)]);
  if (weakness !== null) warn(`the password that was set for ${userName} is easily guessed: ${weakness}`);
  return passwords.hash(password);
}
