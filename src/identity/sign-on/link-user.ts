import { toTimestamp } from '../../store/values/clock.ts';
import { checkEmail } from '../check-text.ts';
import { type AccountContext, asManager, getUser } from '../context/account-context.ts';
import type { Principal } from '../principal/principal.ts';
import { signOnErrors } from './errors.ts';
import { createLinkStore, type Identity } from './link-store.ts';

/**
 * Links an account to what an issuer calls its user, whatever its e-mail address is; an account may have several links.
 * Throws 403 for others than administrators, 404, 400 for a name that is no e-mail address, 409 for one that is linked to
 * another account.
 */
export function linkUser(
  context: AccountContext,
  principal: Principal,
  userName: string,
  identity: Identity,
): void {
  const links = createLinkStore(context.database);
  const { provider, subject } = identity;
  asManager(context, principal, 'write', () => {
    const user = getUser(context, userName);
    checkEmail(subject);
    const holderId = links.findUserId(identity);
    if (holderId === user.id) return;
    const holder = holderId === undefined ? undefined : context.users.findById(holderId);
    if (holder !== undefined) throw signOnErrors.linked(subject, holder.userName);
    links.insert(identity, user.id, toTimestamp(context.clock()));
    context.audit.record(principal, {
      action: 'sso.link',
      object: `${user.userName}: ${provider}: ${subject}`,
    });
  });
}
