import { MAX_NAME_LENGTH } from '../../errors/fields.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { toTimestamp } from '../../store/values/clock.ts';
import { foldCase } from '../../store/values/fold-case.ts';
import { createGroup, EVERYONE, renewGroup } from '../accounts/change-group.ts';
import type { Visitor } from '../audit/audit.ts';
import { checkName, checkText } from '../check-text.ts';
import type { AccountContext } from '../context/account-context.ts';
import type { Origin, Principal } from '../principal/principal.ts';
import { createGroupStore, type GroupRow, type GroupStore } from '../records/group-store.ts';
import { toPrincipal, type User } from '../records/users.ts';
import { replaceNameParts } from '../scim/resources/user-document.ts';
import type { SessionService, StartedSession } from '../sessions/sessions.ts';
import { type AccountPlan, findAccount, passes } from './find-account.ts';
import { createLinkStore, type LinkStore, type SessionOrigin } from './link-store.ts';
import { accountErrors, type ProvenIdentity, SignOnError, type SignOnRules } from './proven-identity.ts';

/**
 * A user who has signed in.
 *
 * @internal
 */
export interface SignedOn {
  readonly principal: Principal;
  readonly session: StartedSession;
  /** Warnings for administrators, for the log. */
  readonly warnings: readonly string[];
}

/** The effect that a sign-in would have, for a test of the settings. */
interface SignOnPreview {
  readonly result: 'linked' | 'would-link' | 'would-create' | 'would-refuse';
  /** One sentence for the administrator. */
  readonly text: string;
}

/** Sign-in with a verified identity: accounts, groups and sessions (docs/reference/saml-accounts.md). */
export interface SignOnService {
  /**
   * Finds, links or creates the account, sets its groups, and starts a session, all in one transaction. Throws a
   * SignOnError. Call it outside of any transaction, because a refused sign-in is also stored.
   */
  signIn(identity: ProvenIdentity, rules: SignOnRules, visitor: BrowserVisitor): SignedOn;
  /** Reports what `signIn` would do. Changes nothing. */
  preview(identity: ProvenIdentity, rules: SignOnRules): SignOnPreview;
  /** The identity that started a session; null for a password. */
  findOrigin(sessionId: string): SessionOrigin | null;
}

/** The origin of a sign-in. */
export interface BrowserVisitor extends Visitor {
  /** The browser's `User-Agent`. */
  readonly userAgent?: string | undefined;
}

/** The parts that sign-in needs. */
export interface SignOnContext extends AccountContext {
  readonly sessions: SessionService;
}

interface OpenContext extends SignOnContext {
  readonly links: LinkStore;
}

/** The sign-in service of an open database. */
export function createSignOnService(options: SignOnContext): SignOnService {
  const context: OpenContext = { ...options, links: createLinkStore(options.database) };
  const { database, links } = context;
  return {
    signIn: (identity, rules, visitor) => {
      const outcome = attempt(context, identity, rules, visitor);
      if (!(outcome instanceof SignOnError)) return outcome;
      const object = `${printWho(identity)}, ${outcome.check}`;
      context.audit.recordVisitor(visitor, { action: 'sign-in', object, result: 'refused' });
      throw outcome;
    },
    preview: (identity, rules) => database.read(() => toPreview(findPlan(context, identity, rules))),
    findOrigin: (sessionId) => database.read(() => links.findOrigin(sessionId) ?? null),
  };
}

/** An error that `enter` returns is committed with its record of the refused sign-in; one that it throws rolls back. */
function attempt(
  context: OpenContext,
  identity: ProvenIdentity,
  rules: SignOnRules,
  visitor: BrowserVisitor,
): SignedOn | SignOnError {
  try {
    return context.database.write(() => enter(context, identity, rules, visitor));
  } catch (error) {
    if (error instanceof SignOnError) return error;
    throw error;
  }
}

function enter(
  context: OpenContext,
  identity: ProvenIdentity,
  rules: SignOnRules,
  visitor: BrowserVisitor,
): SignedOn | SignOnError {
  const { clock, links, sessions, audit } = context;
  const names = identity.groups === null ? null : readGroupNames(identity.groups);
  const { sessionEndsAt } = identity;
  if (sessionEndsAt !== null && sessionEndsAt <= clock()) throw accountErrors.sessionEnd(sessionEndsAt);
  const plan = findAccount(context, identity, rules);
  if (plan.kind === 'refuse') {
    const { provider, email } = identity;
    if (plan.error.check === 'account-conflict') links.remember(provider, email, toTimestamp(clock()));
    return plan.error;
  }
  const { address, requestId, userAgent } = visitor;
  const by: Origin = { address, requestId, tokenId: null, scope: 'all' };
  const user = getAccount(context, identity, plan, by);
  if (!user.active) return accountErrors.disabled(user.userName);
  if (names !== null) {
    syncGroups(context, toPrincipal(user, by), identity.provider, names, rules.createGroups);
  }
  const session = sessions.start(user, { method: 'sso', address, userAgent, end: sessionEndsAt });
  const { provider, issuer, subject, detail } = identity;
  links.insertOrigin(session.sessionId, { provider, issuer, subject, detail });
  const principal = toPrincipal(user, { ...by, sessionId: session.sessionId });
  audit.record(principal, { action: 'sign-in', object: printWho(identity) });
  const isNews = plan.kind === 'link' && user.superUser;
  const warnings = isNews
    ? [`the administrator ${user.userName} is now linked to ${printWho(identity)}`]
    : [];
  return { principal, session, warnings };
}

type Usable = Exclude<AccountPlan, { kind: 'refuse' }>;

/** Creates or links the account of a plan, and returns it. */
function getAccount(context: OpenContext, identity: ProvenIdentity, plan: Usable, by: Origin): User {
  const { users, audit } = context;
  if (plan.kind !== 'create') {
    if (plan.kind === 'link') link(context, identity, toPrincipal(plan.user, by));
    return followName(context, identity, plan.user, by);
  }
  const { userName, active } = plan;
  const { provider: origin, email } = identity;
  const names = readNames(identity, null);
  const user = users.create({
    userName,
    email,
    ...names,
    active,
    isWaiting: !active,
    external: true,
    origin,
  });
  const principal = toPrincipal(user, by);
  const parts = [`by ${origin}`, `e-mail ${email}`, ...(active ? [] : ['disabled'])];
  audit.record(principal, { action: 'user.create', object: `${userName}: ${parts.join(', ')}` });
  link(context, identity, principal);
  return user;
}

/** From now on the account is found by what the issuer calls the user. */
function link({ links, clock, audit }: OpenContext, identity: ProvenIdentity, principal: Principal): void {
  links.insert(identity, principal.userId, toTimestamp(clock()));
  links.forget(identity.provider, identity.email);
  audit.record(principal, { action: 'sso.link', object: `${principal.userName}: ${printWho(identity)}` });
}

/** Updates the names of an account that the provider created. */
function followName({ users, audit }: OpenContext, identity: ProvenIdentity, user: User, by: Origin): User {
  const names = readNames(identity, user);
  const isSame = names.displayName === user.displayName && names.attributes === user.attributes;
  if (isSame || user.origin !== identity.provider) return user;
  audit.record(toPrincipal(user, by), {
    action: 'user.update',
    object: `${user.userName}: first and last name`,
  });
  return users.update(user, names);
}

/**
 * The first and last name, as a display name and as SCIM stores them; those of the account, if any, when the provider
 * sends neither, or they are not a valid name.
 */
function readNames(
  { firstName, lastName }: ProvenIdentity,
  user: User | null,
): Pick<User, 'displayName' | 'attributes'> {
  const [givenName, familyName] = [firstName, lastName].map((part) => part?.trim() || null);
  const displayName = [givenName, familyName].filter((part) => part != null).join(' ');
  const isValid = displayName !== '' && passes(() => checkText('Display name', displayName, MAX_NAME_LENGTH));
  if (!isValid) return { displayName: user?.displayName ?? '', attributes: user?.attributes ?? '{}' };
  const parts = { givenName: givenName ?? null, familyName: familyName ?? null };
  return { displayName, attributes: replaceNameParts(user, parts) };
}

function printWho({ provider, email, subject }: ProvenIdentity): string {
  const who = email === subject ? email : `${subject}, ${email}`;
  return `${provider}: ${who.slice(0, MAX_NAME_LENGTH).toWellFormed()}`;
}

function findPlan(context: OpenContext, identity: ProvenIdentity, rules: SignOnRules): AccountPlan {
  try {
    readGroupNames(identity.groups ?? []);
    return findAccount(context, identity, rules);
  } catch (error) {
    if (error instanceof SignOnError) return { kind: 'refuse', error };
    throw error;
  }
}

function toPreview(plan: AccountPlan): SignOnPreview {
  switch (plan.kind) {
    case 'linked':
      return { result: 'linked', text: `signs in as the linked user ${plan.user.userName}` };
    case 'link':
      return { result: 'would-link', text: `would be linked to the user ${plan.user.userName}` };
    case 'create': {
      const state = plan.active
        ? ''
        : ', disabled, because a sign-in with this e-mail address was refused before';
      return { result: 'would-create', text: `the user ${plan.userName} would be created${state}` };
    }
    case 'refuse':
      return { result: 'would-refuse', text: `would be refused: ${plan.error.message}` };
  }
}

/** The maximum number of groups of one sign-in. */
const MAX_GROUPS = 200;

/**
 * The groups that a provider sends, without duplicates; case is ignored. Names that a group cannot have are left out,
 * and the group of all users too. Throws a SignOnError for more than 200 groups.
 */
function readGroupNames(names: readonly string[]): readonly string[] {
  const trimmed = names.map((name) => name.trim());
  const usable = trimmed.filter(
    (name) => foldCase(name) !== EVERYONE && passes(() => checkName('Group name', name)),
  );
  // The first of several spellings is the name of a new group.
  const distinct = [...new Map(usable.toReversed().map((name) => [foldCase(name), name])).values()].reverse();
  if (distinct.length > MAX_GROUPS) throw accountErrors.tooManyGroups(distinct.length, MAX_GROUPS);
  return distinct;
}

/**
 * Adds a user to these groups, and removes it from all other groups that this provider added it to. Creates groups
 * that do not exist if `creates` is true. The caller holds the transaction; `principal` is the user.
 */
function syncGroups(
  context: AccountContext,
  principal: Principal,
  source: ProvenIdentity['provider'],
  names: readonly string[],
  creates: boolean,
): void {
  const { database, audit, announcements } = context;
  const store = createGroupStore(database);
  const wanted = names.flatMap((name) => {
    return store.findByName(name) ?? (creates ? make(context, store, principal, source, name) : []);
  });
  const ids = new Set(wanted.map(({ id }) => id));
  const lost = store.listGroupIdsBy(principal.userId, source).filter((id) => !ids.has(id));
  const change = (row: GroupRow, action: 'group.add' | 'group.remove') => {
    renewGroup(context, store, row);
    audit.record(principal, { action, object: `${row.name}: ${principal.userName}` });
  };
  for (const row of wanted) {
    if (store.addMembers(row.id, [principal.userId], source).length > 0) change(row, 'group.add');
  }
  for (const row of lost.flatMap((id) => store.findById(id) ?? [])) {
    store.removeMembers(row.id, [principal.userId], source);
    change(row, 'group.remove');
  }
  if (lost.length > 0) announcements.announce({ kind: 'grant-changed' });
}

function make(
  context: AccountContext,
  store: GroupStore,
  principal: Principal,
  origin: ProvenIdentity['provider'],
  name: string,
): GroupRow {
  try {
    return createGroup(context, store, principal, { name, origin });
  } catch (error) {
    if (error instanceof ServiceError) throw accountErrors.groupNotMade(name, error.detail);
    throw error;
  }
}
