import type { Principal } from '../../identity/principal/principal.ts';
import { toPrincipal, type User } from '../../identity/records/users.ts';
import { runErrors } from '../api/errors.ts';

/**
 * The principal of a user of the home. Throws 401 for a user who does not exist or is disabled; `name` is what the caller
 * names, if it does not act as the home's owner.
 */
export function toActing(user: User | undefined, name: string | undefined): Principal {
  if (user === undefined) throw runErrors.noSuchUser(name ?? 'with administrator rights');
  if (!user.active) throw runErrors.inactiveUser(user.userName);
  return toPrincipal(user);
}
