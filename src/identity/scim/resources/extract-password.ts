import { findPasswordWeakness } from '../../passwords/find-password-weakness.ts';
import { findPasswordError } from '../../passwords/passwords.ts';
import { scimErrors } from '../protocol/errors.ts';
import type { ScimObject } from '../protocol/resource.ts';
import type { ScimContext } from './scim-context.ts';
import { isExternal } from './user-document.ts';

/** The hash of a password in a document. */
export interface ExtractedPassword {
  /** Undefined when the document has no password. */
  readonly hash: string | undefined;
  /** A warning for the log, written after the password is set, when it is easily guessed; otherwise null. */
  readonly warning: string | null;
}

/** The result for a document without a password. */
export const NO_PASSWORD: ExtractedPassword = { hash: undefined, warning: null };

/** Whether a document has a password, and its user does not sign in elsewhere. */
export function hasPassword(document: ScimObject): document is ScimObject & { readonly password: string } {
  return typeof document.password === 'string' && isExternal(document) !== true;
}

/**
 * Hashes the password of a document; ignores it when the user signs in elsewhere. Accepts a password that is easily
 * guessed, because no person is present who could choose another one. Throws 400, and 503 when too many passwords are
 * being hashed.
 */
export async function extractPassword(
  { passwords }: Pick<ScimContext, 'passwords'>,
  document: ScimObject,
): Promise<ExtractedPassword> {
  if (!hasPassword(document)) return NO_PASSWORD;
  const { password, userName, emails = [] } = document;
  const error = findPasswordError(password);
  if (error !== null) throw scimErrors.invalidValue('password', `was refused: ${error}`);
  const addresses = (emails as readonly ScimObject[]).map(({ value }) => String(value));
  const weakness = await findPasswordWeakness(password, [String(userName), ...addresses]);
  const warning = weakness && `the password that was set for ${userName} is easily guessed: ${weakness}`;
  return { hash: await passwords.hash(password), warning };
}
