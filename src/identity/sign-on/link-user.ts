import { toTimestamp } from '../../store/values/clock.ts';
import { checkEmail } from '../check-text.ts';
import { type AccountContext, asManager, getUser } from '../context/account-context.ts';
import type { Principal } from '../principal/principal.ts';
import { signOnErrors } from './errors.ts';
import { createLinkStore, type Identity } from './link-store.ts';

/**
 * Links an account to the subject of an issuer, whatever the e-mail address of the account is. An account may have
 * several links. Throws 403 when the caller is not an administrator, 404 for an unknown user, 400 when the subject is
 * not an e-mail address, and 409 when it is linked to another account.
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

/** The links to delete: those of a user, or those to an identity provider by its entity id. */
export interface Unlinking {
  readonly userName?: string | undefined;
  readonly issuer?: string | undefined;
}

/**
 * Deletes links, after which e-mail addresses link again; returns their number. Sessions continue. Throws 400 unless exactly
 * one property is given, 403 when the caller is not an administrator, and 404 for an unknown user and without any link.
 */
export function unlink(
  context: AccountContext,
  principal: Principal,
  provider: Identity['provider'],
  { userName, issuer }: Unlinking,
): number {
  const links = createLinkStore(context.database);
  return asManager(context, principal, 'write', () => {
    if ((userName === undefined) === (issuer === undefined)) throw signOnErrors.oneOwner();
    const user = userName === undefined ? null : getUser(context, userName);
    const name = user?.userName ?? issuer ?? '';
    const count = links.deleteLinks(provider, user === null ? { issuer: name } : { userId: user.id });
    if (count === 0) throw signOnErrors.noLinks(name);
    context.audit.record(principal, { action: 'sso.unlink', object: `${provider}: ${name}, ${count} links` });
    return count;
  });
}
