import { hash, randomBytes } from 'node:crypto';
import { present } from '../../invariants/must.ts';
import { toTimestamp } from '../../store/values/clock.ts';
import type { Visitor } from '../audit/audit.ts';
import { checkEmail, checkName, checkUserName } from '../check-text.ts';
import { asManager, getUser } from '../context/account-context.ts';
import { invitationErrors } from '../errors.ts';
import { checkPageLimit } from '../log-range.ts';
import { checkPassword } from '../passwords/passwords.ts';
import type { Principal } from '../principal/principal.ts';
import { createGrantStore } from '../records/grant-store.ts';
import { createInvitationStore, type InvitationRecord } from '../records/invitation-store.ts';
import { createTokenStore } from '../records/token-store.ts';
import { toPrincipal, type User } from '../records/users.ts';
import { begin, type SignedIn, type SignInContext, startSession } from '../sessions/sign-in.ts';
import { type ChangeContext, changeAccount, createAccount, deleteAccount } from './change-account.ts';
import type { GroupService } from './groups.ts';
import type {
  InvitationBody,
  InvitationListBody,
  MadeInvitationBody,
  RevokedInvitationBody,
} from './invitation-body.ts';

/** How long an invitation can be used: seven days, in milliseconds. */
const LIFETIME_MS = 7 * 86_400_000;
const RANDOM_BYTES = 32;

/** Whom to invite: a new user, or one who exists. */
interface NewInvitation {
  /** The name of a user to create. */
  readonly userName?: string | undefined;
  /** The name of a user who exists, and who sets a new password with the link. */
  readonly user?: string | undefined;
  readonly email?: string | undefined;
  readonly role?: string | undefined;
  /** The names of the groups of a new user. */
  readonly groups?: readonly string[] | undefined;
}

/** Which invitations a list has, by user name. */
interface InvitationSearch {
  readonly q?: string | undefined;
  readonly after?: string | undefined;
  /** At most 1,000; 100 by default. Null: all. */
  readonly limit?: number | null | undefined;
}

/** A link that a person opens, and the password that the person chooses. */
interface Redemption {
  readonly secret: string;
  readonly password: string;
  /** The user who is signed in in this browser. */
  readonly signedInAs?: string | undefined;
  /** Where failures are counted, instead of the visitor's address. */
  readonly countedAt?: string | undefined;
  /** The browser's `User-Agent`. */
  readonly userAgent?: string | undefined;
}

/**
 * Invitations (docs/reference/invitations.md): links with which people set the first password of an account, for seven
 * days and once. Users who manage accounts create, list and revoke them; all other callers get 403. Each change is one
 * transaction.
 */
export interface InvitationService {
  /**
   * Invites a new user, whom it creates without a password, or one who exists; an earlier invitation of the user is
   * revoked. Throws 400 and 409 as `UserAccounts.create` does, 404 for an unknown user or group, and 409 without a base
   * URL, for users who sign in elsewhere or are disabled, and for an administrator who has a password.
   */
  create(principal: Principal, invitation: NewInvitation): MadeInvitationBody;
  /** By user name. Throws 400 for an invalid limit. */
  search(principal: Principal, search: InvitationSearch): InvitationListBody;
  /** Revokes an invitation. Throws 404. */
  revoke(principal: Principal, id: string): RevokedInvitationBody;
  /** Revokes the invitation of a user. Throws 404. */
  revokeOf(principal: Principal, userName: string): RevokedInvitationBody;
  /**
   * Sets the password and signs the person in. Throws 401 for a secret that is unknown, used, revoked or expired, and for
   * a disabled user, all in the same words; 409 while another user is signed in, 400 for a password, 429 and 503.
   */
  redeem(redemption: Redemption, visitor: Visitor): Promise<SignedIn>;
}

export interface InvitationContext extends ChangeContext, SignInContext {
  readonly groups: Pick<GroupService, 'addMembers'>;
  /** The public address of the instance; null if it is not set. */
  readonly findBaseUrl: () => string | null;
  /** Whether a user's `@Personal` has no items. */
  readonly isHomeEmpty: (userId: string) => boolean;
}

/** The invitations of an open database. */
export function createInvitationService(context: InvitationContext): InvitationService {
  const { database } = context;
  const store = createInvitationStore(database);
  return {
    create: (principal, invitation) =>
      asManager(context, principal, 'write', () => invite(context, principal, invitation)),
    search: (principal, { limit, ...filter }) =>
      asManager(context, principal, 'read', () => {
        const { records, total } = store.search({ ...filter, limit: checkPageLimit(limit) });
        return { data: records.map((record) => toBody(context, record)), total };
      }),
    revoke: (principal, id) =>
      asManager(context, principal, 'write', () => revoke(context, principal, store.find(id))),
    revokeOf: (principal, userName) =>
      asManager(context, principal, 'write', () =>
        revoke(context, principal, store.findOf(getUser(context, userName).id)),
      ),
    redeem: (redemption, visitor) => redeem(context, redemption, visitor),
  };
}

function invite(
  context: InvitationContext,
  principal: Principal,
  invitation: NewInvitation,
): MadeInvitationBody {
  const { database, clock, newId, audit, findBaseUrl } = context;
  const baseUrl = findBaseUrl();
  if (baseUrl === null) throw invitationErrors.needsBaseUrl();
  const user = findInvited(context, principal, invitation);
  checkInvited(context, user);
  const secret = randomBytes(RANDOM_BYTES).toString('base64url');
  const now = clock();
  const record: InvitationRecord = {
    id: newId(),
    userId: user.id,
    creatorId: principal.userId,
    hasMadeUser: invitation.userName !== undefined,
    createdAt: toTimestamp(now),
    expiresAt: toTimestamp(new Date(now.getTime() + LIFETIME_MS)),
  };
  const store = createInvitationStore(database);
  store.deleteOf(user.id);
  store.insert(record, toKey(secret));
  audit.record(principal, { action: 'invitation.create', object: `${user.userName} (${record.id})` });
  return { ...toBody(context, record), link: `${baseUrl}/invitation#${secret}` };
}

/** The user to invite; a new one is created, without a password. */
function findInvited(
  context: InvitationContext,
  principal: Principal,
  { userName, user, email, role, groups = [] }: NewInvitation,
): User {
  if ((userName === undefined) === (user === undefined)) throw invitationErrors.oneUser();
  if (userName === undefined) {
    if (email !== undefined || role !== undefined || groups.length > 0) throw invitationErrors.existingUser();
    return getUser(context, user ?? '');
  }
  checkUserName(userName);
  if (email) checkEmail(email);
  if (role !== undefined) checkName('Role', role);
  const settings = { ...(email === undefined ? {} : { email }), ...(role === undefined ? {} : { role }) };
  const created = createAccount(context, principal, { userName, ...settings });
  for (const group of new Set(groups)) context.groups.addMembers(principal, group, [userName]);
  return created;
}

/** Throws 409 for a user who cannot use an invitation. */
function checkInvited({ users, isSsoOnly }: InvitationContext, user: User): void {
  if (user.external) throw invitationErrors.external(user.userName);
  if (!user.active) throw invitationErrors.disabled(user.userName);
  if (!user.superUser) {
    if (isSsoOnly()) throw invitationErrors.ssoOnly();
  } else if (users.readPasswordHash(user.id) !== null) {
    throw invitationErrors.administrator(user.userName);
  }
}

function revoke(
  context: InvitationContext,
  principal: Principal,
  record: InvitationRecord | undefined,
): RevokedInvitationBody {
  const { database, users, audit } = context;
  if (record === undefined) throw invitationErrors.notFound();
  const user = present(users.findById(record.userId));
  createInvitationStore(database).deleteOf(user.id);
  audit.record(principal, { action: 'invitation.delete', object: `${user.userName} (${record.id})` });
  const isUnused = record.hasMadeUser && user.id !== principal.userId && isUntouched(context, user);
  if (isUnused) deleteAccount(context, principal, user);
  return { user_name: user.userName, user_deleted: isUnused };
}

/** Whether a user has no password, session, token, script and grant. */
function isUntouched({ database, users, sessions, isHomeEmpty }: InvitationContext, user: User): boolean {
  const subject = { kind: 'user', id: user.id, name: user.userName } as const;
  return (
    users.readPasswordHash(user.id) === null &&
    sessions.listIds(user.id).length === 0 &&
    createTokenStore(database).listOf(user.id).length === 0 &&
    isHomeEmpty(user.id) &&
    !createGrantStore(database)
      .listOf(subject)
      .some((grant) => grant.subject.kind === 'user')
  );
}

async function redeem(
  context: InvitationContext,
  { secret, password, signedInAs, countedAt, userAgent }: Redemption,
  visitor: Visitor,
): Promise<SignedIn> {
  const { database, passwords } = context;
  const key = toKey(secret);
  const attempt = { login: `invitation ${key}`, address: countedAt ?? visitor.address };
  const user = database.read(() => findRedeemer(context, key)) ?? refuse(context, attempt, visitor);
  if (signedInAs !== undefined && signedInAs !== user.userName) throw invitationErrors.signedIn(signedInAs);
  await checkPassword(password, { isTyped: true, names: [user.userName, user.email ?? ''] });
  const passwordHash = await passwords.hash(password);
  const signedIn = database.write(() => {
    // A concurrent request may have used or revoked the invitation.
    const invited = findRedeemer(context, key);
    if (invited === null) return null;
    const changed = setPassword(context, invited, passwordHash, visitor);
    return startSession(context, changed, visitor, { userAgent, object: changed.userName });
  });
  return signedIn ?? refuse(context, attempt, visitor);
}

/** Sets the password of an invited user, which revokes the invitation and ends all sessions. */
function setPassword(
  context: InvitationContext,
  user: User,
  passwordHash: string,
  { address, requestId }: Visitor,
): User {
  const principal = toPrincipal(user, { address, requestId, tokenId: null, scope: 'all' });
  context.audit.record(principal, { action: 'invitation.redeem', object: user.userName });
  return changeAccount(context, principal, user, { passwordHash });
}

/** The user whom a secret lets set a password; null if it does not. */
function findRedeemer(context: InvitationContext, key: string): User | null {
  const { database, clock, users, isSsoOnly } = context;
  const record = createInvitationStore(database).findByHash(key);
  if (record === undefined || record.expiresAt <= toTimestamp(clock())) return null;
  const user = present(users.findById(record.userId));
  if (!user.active || user.external) return null;
  const mayUse = user.superUser ? users.readPasswordHash(user.id) === null : !isSsoOnly();
  return mayUse ? user : null;
}

/** Counts and records a failed attempt. Throws 401, or 429 after too many failures. A valid link never waits. */
function refuse(
  context: InvitationContext,
  attempt: { readonly login: string; readonly address: string | null },
  visitor: Visitor,
): never {
  const record = () =>
    context.audit.recordVisitor(visitor, {
      action: 'invitation.redeem',
      object: null,
      result: 'refused',
    });
  begin(context, attempt, record);
  record();
  throw invitationErrors.ended();
}

function toBody({ users, clock }: InvitationContext, record: InvitationRecord): InvitationBody {
  const { userName, email } = present(users.findById(record.userId));
  return {
    id: record.id,
    user_name: userName,
    email,
    made_user: record.hasMadeUser,
    created_by: record.creatorId === null ? null : present(users.findById(record.creatorId)).userName,
    created_at: record.createdAt,
    expires_at: record.expiresAt,
    expired: record.expiresAt <= toTimestamp(clock()),
  };
}

/** The secret has 256 random bits, so it needs no slow hash. */
function toKey(secret: string): string {
  return hash('sha256', secret);
}
