import { ServiceError } from '../../errors/service-error.ts';
import { foldCase } from '../../store/values/fold-case.ts';
import { checkEmail, checkUserName } from '../check-text.ts';
import type { User, UserService } from '../records/users.ts';
import type { LinkStore } from './link-store.ts';
import { accountErrors, type ProvenIdentity, type SignOnError, type SignOnRules } from './proven-identity.ts';

/** The account of a sign-in. */
export type AccountPlan =
  | { readonly kind: 'linked'; readonly user: User }
  /** An existing account, to be linked. */
  | { readonly kind: 'link'; readonly user: User }
  | { readonly kind: 'create'; readonly userName: string; readonly active: boolean }
  | { readonly kind: 'refuse'; readonly error: SignOnError };

interface Records {
  readonly users: UserService;
  readonly links: LinkStore;
}

/**
 * Finds the account of an identity: the one that is linked to it, else the one with its e-mail address, else, with JIT,
 * a new one (docs/reference/saml-accounts.md#finding-the-account). Changes nothing; the caller holds the transaction.
 */
export function findAccount(records: Records, identity: ProvenIdentity, rules: SignOnRules): AccountPlan {
  const { users, links } = records;
  const linkedId = links.findUserId(identity);
  const linked = linkedId === undefined ? undefined : users.findById(linkedId);
  if (linked !== undefined) return linked.active ? { kind: 'linked', user: linked } : refuseDisabled(linked);
  if (!passes(() => checkEmail(identity.email))) return refuse(accountErrors.notAnEmail(identity.email));
  const user = users.findByEmail(identity.email);
  if (user === undefined) return planNew(records, identity, rules);
  const error = findObstacle(records, identity, rules, user);
  if (error !== null) return refuse(error);
  return user.active ? { kind: 'link', user } : refuseDisabled(user);
}

/**
 * The reason why the e-mail address does not link an account to an identity; null when it does. An account that is
 * linked already is never linked again by an address.
 */
function findObstacle(
  { links }: Records,
  { email, subject }: ProvenIdentity,
  { jit, bindSuperUsers }: SignOnRules,
  user: User,
): SignOnError | null {
  const isManual = jit && user.origin === 'local' && !user.external;
  const other = links.findSubjectOf(user.id);
  if (other !== undefined)
    return accountErrors.linkedElsewhere({
      userName: user.userName,
      subject,
      other,
      email: isManual ? email : null,
    });
  if (isManual) return accountErrors.conflict(email, user.userName);
  if (user.superUser && !bindSuperUsers) return accountErrors.administrator(user.userName, subject);
  return null;
}

function planNew({ users, links }: Records, identity: ProvenIdentity, { jit }: SignOnRules): AccountPlan {
  const { provider, email } = identity;
  if (!jit) return refuse(accountErrors.unknown(email));
  // The sign-in page has one field for both: a new user name must not be the user name or e-mail address of another user.
  const isFree = (name: string) => users.findByLogin(name) === undefined;
  const sent = identity.userName?.trim() ?? '';
  const userName = isUsable(sent, email) && isFree(sent) ? sent : email;
  if (!isFree(userName)) return refuse(accountErrors.nameTaken(userName));
  return { kind: 'create', userName, active: !links.isRemembered(provider, email) };
}

/** Whether a name may be a user name: it must not be another e-mail address, which another person may own. */
function isUsable(name: string, email: string): boolean {
  const isOtherAddress = name.includes('@') && foldCase(name) !== foldCase(email);
  return !isOtherAddress && passes(() => checkUserName(name));
}

function refuseDisabled({ userName }: User): AccountPlan {
  return refuse(accountErrors.disabled(userName));
}

function refuse(error: SignOnError): AccountPlan {
  return { kind: 'refuse', error };
}

/** Whether a check of `check-text` passes. */
export function passes(check: () => void): boolean {
  try {
    check();
    return true;
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}
