import type { ChangeContext } from '../../accounts/change-account.ts';
import { asManager } from '../../context/account-context.ts';
import type { Passwords } from '../../passwords/passwords.ts';
import type { Principal } from '../../principal/principal.ts';
import { toScimError } from '../protocol/errors.ts';

/** The parts that users and groups of SCIM need. */
export interface ScimContext extends ChangeContext {
  readonly passwords: Passwords;
}

/** The caller, and the base of the URLs in its responses. */
export interface ScimClient {
  readonly principal: Principal;
  /** The absolute URL under which the resources are, without a slash at its end. */
  readonly base: string;
  /** Called with a warning for administrators about a change that was accepted. */
  readonly warn: (text: string) => void;
}

/**
 * Runs `work` as one transaction. Throws 403 when the caller may not manage accounts; converts errors to SCIM errors.
 */
export function asClient<T>(
  context: ScimContext,
  { principal }: ScimClient,
  mode: 'read' | 'write',
  work: () => T,
): T {
  try {
    return asManager(context, principal, mode, work, 'scim');
  } catch (error) {
    throw toScimError(error);
  }
}
