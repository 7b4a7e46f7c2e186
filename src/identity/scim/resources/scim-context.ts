import type { ChangeContext } from '../../accounts/change-account.ts';
import { asManager } from '../../context/account-context.ts';
import type { Passwords } from '../../passwords/passwords.ts';
import type { Principal } from '../../principal/principal.ts';
import { toScimError } from '../protocol/errors.ts';

/** What users and groups of a provisioning service are made of. */
export interface ScimContext extends ChangeContext {
  readonly passwords: Passwords;
}

/** Who asks, and how resources are named to them. */
export interface ScimClient {
  readonly principal: Principal;
  /** The absolute URL under which the resources are, without a slash at its end. */
  readonly base: string;
  /** Called with what an administrator should know of a change that was made nevertheless. */
  readonly warn: (text: string) => void;
}

/** Does something as one transaction. Throws 403 for who does not manage accounts; what it throws has a kind. */
export function asClient<T>(
  context: ScimContext,
  { principal }: ScimClient,
  mode: 'read' | 'write',
  work: () => T,
): T {
  try {
    return asManager(context, principal, mode, work);
  } catch (error) {
    throw toScimError(error);
  }
}
