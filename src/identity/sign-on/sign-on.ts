import { toTimestamp } from '../../store/values/clock.ts';
import type { Visitor } from '../audit/audit.ts';
import { checkText, MAX_NAME_LENGTH } from '../check-text.ts';
import type { AccountContext } from '../context/account-context.ts';
import type { Origin, Principal } from '../principal/principal.ts';
import { toPrincipal, type User } from '../records/users.ts';
import type { SessionService, StartedSession } from '../sessions/sessions.ts';
import { type AccountPlan, findAccount, passes } from './find-account.ts';
import { createLinkStore, type LinkStore, type SessionOrigin } from './link-store.ts';
import { type ProvenIdentity, SignOnRefusal, type SignOnRules, signOnRefusals } from './proven-identity.ts';
import { readGroupNames, syncGroups } from './sync-groups.ts';

/** Somebody who has signed in. */
export interface SignedOn {
  readonly principal: Principal;
  readonly session: StartedSession;
  /** What administrators should know of it, for the log. */
  readonly warnings: readonly string[];
}

/** What a sign-in would do, for a test of the settings. */
interface SignOnPreview {
  readonly result: 'linked' | 'would-link' | 'would-create' | 'would-refuse';
  /** One sentence for the administrator. */
  readonly text: string;
}

/** Signing in by what an identity provider has proven: accounts, groups and sessions (identity 4). */
export interface SignOnService {
  /**
   * Finds, links or makes the account, gives it its groups, and starts a session, all in one transaction. Throws a
   * SignOnRefusal. To be called outside of any transaction: a refusal, too, leaves something to remember.
   */
  signIn(identity: ProvenIdentity, rules: SignOnRules, visitor: Visitor): SignedOn;
  /** Changes nothing. */
  preview(identity: ProvenIdentity, rules: SignOnRules): SignOnPreview;
  /** By what a session was started; null for a password. */
  findOrigin(sessionId: string): SessionOrigin | null;
}

/** What signing in is made of. */
export interface SignOnContext extends AccountContext {
  readonly sessions: SessionService;
}

interface OpenContext extends SignOnContext {
  readonly links: LinkStore;
}

/** Signing in to an open database. */
export function createSignOnService(options: SignOnContext): SignOnService {
  const context: OpenContext = { ...options, links: createLinkStore(options.database) };
  const { database, links } = context;
  return {
    signIn: (identity, rules, visitor) => {
      const outcome = attempt(context, identity, rules, visitor);
      if (!(outcome instanceof SignOnRefusal)) return outcome;
      const object = `${printWho(identity)}, ${outcome.check}`;
      context.audit.recordVisitor(visitor, { action: 'sign-in', object, result: 'refused' });
      throw outcome;
    },
    preview: (identity, rules) => database.read(() => toPreview(findPlan(context, identity, rules))),
    findOrigin: (sessionId) => database.read(() => links.findOrigin(sessionId) ?? null),
  };
}

/** A refusal that is returned has been remembered; by one that is thrown, nothing has happened. */
function attempt(
  context: OpenContext,
  identity: ProvenIdentity,
  rules: SignOnRules,
  visitor: Visitor,
): SignedOn | SignOnRefusal {
  try {
    return context.database.write(() => enter(context, identity, rules, visitor));
  } catch (error) {
    if (error instanceof SignOnRefusal) return error;
    throw error;
  }
}

function enter(
  context: OpenContext,
  identity: ProvenIdentity,
  rules: SignOnRules,
  visitor: Visitor,
): SignedOn | SignOnRefusal {
  const { clock, links, sessions, audit } = context;
  const names = identity.groups === null ? null : readGroupNames(identity.groups);
  const { sessionEndsAt } = identity;
  if (sessionEndsAt !== null && sessionEndsAt <= clock()) throw signOnRefusals.sessionEnd(sessionEndsAt);
  const plan = findAccount(context, identity, rules);
  if (plan.kind === 'refuse') {
    const { provider, email } = identity;
    if (plan.refusal.check === 'account-conflict') links.remember(provider, email, toTimestamp(clock()));
    return plan.refusal;
  }
  const by: Origin = { ...visitor, tokenId: null, readOnly: false };
  const user = getAccount(context, identity, plan, by);
  if (!user.active) return signOnRefusals.disabled(user.userName);
  if (names !== null) {
    syncGroups(context, toPrincipal(user, by), identity.provider, names, rules.createGroups);
  }
  const session = sessions.start(user, sessionEndsAt);
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

/** The account of a plan, made or linked where that is what it says. */
function getAccount(context: OpenContext, identity: ProvenIdentity, plan: Usable, by: Origin): User {
  const { users, audit } = context;
  if (plan.kind !== 'create') {
    if (plan.kind === 'link') link(context, identity, toPrincipal(plan.user, by));
    return followName(context, identity, plan.user, by);
  }
  const { userName, active } = plan;
  const { provider: origin, email } = identity;
  const displayName = printName(identity) ?? '';
  const user = users.create({ userName, email, displayName, active, external: true, origin });
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

/** Accounts that a provider has made have the name that it sends. */
function followName({ users, audit }: OpenContext, identity: ProvenIdentity, user: User, by: Origin): User {
  const displayName = printName(identity);
  const isSame = displayName === null || displayName === user.displayName;
  if (isSame || user.origin !== identity.provider) return user;
  audit.record(toPrincipal(user, by), { action: 'user.update', object: `${user.userName}: display name` });
  return users.update(user, { displayName });
}

/** First and last name; null where neither is sent, or they are no name. */
function printName({ firstName, lastName }: ProvenIdentity): string | null {
  const name = [firstName, lastName].flatMap((part) => part?.trim() || []).join(' ');
  return name !== '' && passes(() => checkText('Display name', name, MAX_NAME_LENGTH)) ? name : null;
}

function printWho({ provider, email, subject }: ProvenIdentity): string {
  const who = email === subject ? email : `${subject}, ${email}`;
  return `${provider}: ${who.slice(0, MAX_NAME_LENGTH).toWellFormed()}`;
}

function findPlan(context: OpenContext, identity: ProvenIdentity, rules: SignOnRules): AccountPlan {
  try {
    readGroupNames(identity.groups ?? []);
    return findAccount(context, identity, rules);
  } catch (refusal) {
    if (refusal instanceof SignOnRefusal) return { kind: 'refuse', refusal };
    throw refusal;
  }
}

function toPreview(plan: AccountPlan): SignOnPreview {
  switch (plan.kind) {
    case 'linked':
      return { result: 'linked', text: `signs in as the user ${plan.user.userName}, who is linked` };
    case 'link':
      return { result: 'would-link', text: `would be linked to the user ${plan.user.userName}` };
    case 'create': {
      const state = plan.active ? '' : ', disabled, since such a sign-in was refused before';
      return { result: 'would-create', text: `the user ${plan.userName} would be created${state}` };
    }
    case 'refuse':
      return { result: 'would-refuse', text: `would be refused: ${plan.refusal.message}` };
  }
}
