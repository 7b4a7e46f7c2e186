import { present } from '../../invariants/must.ts';
import { toTimestamp } from '../../store/values/clock.ts';
import type { Visitor } from '../audit/audit.ts';
import { checkName, checkText, MAX_DESCRIPTION_LENGTH } from '../check-text.ts';
import { type AccountContext, checkMayManage, checkScope, getOwner } from '../context/account-context.ts';
import { searchErrors, tokenErrors } from '../errors.ts';
import { checkPageLimit } from '../log-range.ts';
import type { Principal } from '../principal/principal.ts';
import { SCOPES, type TokenScope } from '../principal/scopes.ts';
import {
  createTokenStore,
  type TokenFilter,
  type TokenPage,
  type TokenRecord,
  type TokenStore,
} from '../records/token-store.ts';
import { createUseNotes } from '../records/use-notes.ts';
import { toPrincipal } from '../records/users.ts';
import type { TokenBody, TokenListBody } from './token-body.ts';
import { generateToken, hashToken, isWellFormedToken } from './token-format.ts';

const MAX_TOKENS = 100;
/** 90 days. */
const DEFAULT_LIFETIME_MS = 90 * 86_400_000;
const NOWHERE: Visitor = { address: null, requestId: null };

/** The properties of a new token. */
interface NewToken {
  readonly name: string;
  readonly description?: string | undefined;
  /** The user who owns the token; the caller by default. */
  readonly owner?: string | undefined;
  /** A scope, `all` by default; `scim` only for an administrator. */
  readonly scope?: string | undefined;
  /** Another form of the scope `read`. */
  readonly readOnly?: boolean | undefined;
  /** 90 days from now by default; null for a token that never expires. */
  readonly expiresAt?: Date | null | undefined;
}

/** Which tokens a list has. */
interface TokenSearch extends Pick<TokenFilter, 'q'>, Pick<TokenPage, 'after'> {
  /** A user name, or `*` for all users; by default the caller. */
  readonly owner?: string | undefined;
  readonly unusedSince?: Date | undefined;
  readonly expiresBefore?: Date | undefined;
  /** At most 1,000; 100 by default. Null: all. */
  readonly limit?: number | null | undefined;
}

/** The owner that stands for all users. */
const ALL_OWNERS = '*';

/**
 * Personal access tokens (docs/reference/tokens.md). Users manage their own tokens; only administrators manage those of
 * other users, and other callers get 403. A caller with a token of any scope but `all` can only list tokens. Each call is one
 * transaction.
 */
export interface TokenService {
  /**
   * Creates a token and returns it; no later call can return it. Throws 400 for invalid texts, scopes and times, and for the
   * scope `scim` unless the owner is an administrator, 404 for an unknown owner, 409 when the owner has a token with this name, and 422 when the owner has too many tokens.
   */
  create(principal: Principal, fields: NewToken): { readonly token: string; readonly body: TokenBody };
  /** The tokens of the caller, or of another user, sorted by name. */
  list(principal: Principal, owner?: string): TokenBody[];
  /**
   * The tokens of the caller, of another user, or, with the owner `*`, of all users; by owner and name. Throws 400 for
   * an invalid limit, or a token in `after` that does not exist.
   */
  search(principal: Principal, search: TokenSearch): TokenListBody;
  /** A token by its name or id. Throws 404. */
  get(principal: Principal, token: string, owner?: string): TokenBody;
  /** The ids of a user's tokens, expired or not. Checks no permission. */
  listIds(userId: string): string[];
  /** The name of a token by its id; null for an unknown id. Checks no permission. */
  findName(id: string): string | null;
  /** Deletes a token by its name or id; requests with the token then fail. Throws 404. */
  delete(principal: Principal, token: string, owner?: string): void;
  /**
   * The principal of a token, with the current rights of the owner; null when the token does not exist or has
   * expired, or its owner is disabled. `visitor` is the origin of the request. Records the use, at most once a
   * minute.
   */
  verify(token: string, visitor?: Visitor): Principal | null;
}

/** The tokens of an open database. */
export function createTokenService(context: AccountContext): TokenService {
  const { database, clock, users, audit, announcements } = context;
  const store = createTokenStore(database);
  const notes = createUseNotes(database);
  return {
    create: (principal, token) => {
      checkScope(principal, 'all');
      checkGiven(token);
      return database.write(() => {
        const made = create(context, store, principal, token);
        audit.record(principal, { action: 'token.create', object: printToken(made.body.owner, made.body) });
        return made;
      });
    },
    list: (principal, owner) =>
      database.read(() => {
        const { id } = getOwner(context, principal, owner);
        return store.listOf(id).map((record) => toBody(context, record));
      }),
    search: (principal, search) => database.read(() => searchTokens(context, store, principal, search)),
    get: (principal, name, owner) =>
      database.read(() => {
        const { id } = getOwner(context, principal, owner);
        return toBody(context, getToken(store, id, name));
      }),
    listIds: (userId) => database.read(() => store.listOf(userId).map(({ id }) => id)),
    findName: (id) => database.read(() => store.findName(id) ?? null),
    delete: (principal, name, owner) =>
      database.write(() => {
        checkScope(principal, 'all');
        const { id, userName } = getOwner(context, principal, owner);
        const token = getToken(store, id, name);
        store.delete(token.id);
        audit.record(principal, { action: 'token.delete', object: printToken(userName, token) });
        announcements.announce({ kind: 'token-revoked', tokenId: token.id });
      }),
    verify: (token, visitor = NOWHERE) => {
      if (!isWellFormedToken(token)) return null;
      const now = clock();
      const record = store.findActing(hashToken(token));
      if (record === undefined) return null;
      const { id: tokenId, scope, expiresAt, lastUsedAt } = record;
      const owner = { ...record.owner, effectiveRole: users.effectiveRoleOf(record.owner) };
      if (expiresAt !== null && new Date(expiresAt) <= now) return null;
      notes.note(lastUsedAt, now, () => store.writeLastUse(tokenId, toTimestamp(now)));
      const { address, requestId } = visitor;
      return toPrincipal(owner, { tokenId, scope, address, requestId });
    },
  };
}

function searchTokens(
  context: AccountContext,
  store: TokenStore,
  principal: Principal,
  { owner, q, unusedSince, expiresBefore, after, limit }: TokenSearch,
): TokenListBody {
  if (owner === ALL_OWNERS) checkMayManage(context, principal);
  const ownerId = owner === ALL_OWNERS ? undefined : getOwner(context, principal, owner).id;
  if (after !== undefined && !store.has(after)) throw searchErrors.noSuchToken(after);
  const times = {
    unusedSince: unusedSince && toTimestamp(unusedSince),
    expiresBefore: expiresBefore && toTimestamp(expiresBefore),
  };
  const page = { after, limit: checkPageLimit(limit) };
  const { records, total } = store.search({ ownerId, q, ...times }, page);
  return { data: records.map((record) => toBody(context, record)), total };
}

function checkGiven({ name, description = '' }: NewToken): void {
  checkName('Token name', name);
  checkText('Description', description, MAX_DESCRIPTION_LENGTH);
}

/** The scope of a new token. Throws 400 for an unknown one, and for one that contradicts `readOnly`. */
function readScope({ scope: name, readOnly }: Pick<NewToken, 'scope' | 'readOnly'>): TokenScope {
  if (name === undefined) return readOnly === true ? 'read' : 'all';
  const scope = SCOPES.find((known) => known === name);
  if (scope === undefined) throw tokenErrors.unknownScope(name, SCOPES);
  const contradicts = readOnly === undefined ? false : scope === 'read' ? !readOnly : readOnly;
  if (contradicts) throw tokenErrors.otherScope(scope);
  return scope;
}

/** Finds a token by its id, else by its name, so that a name cannot hide another token. Throws 404. */
function getToken(store: TokenStore, ownerId: string, name: string): TokenRecord {
  const tokens = store.listOf(ownerId);
  const token = tokens.find(({ id }) => id === name) ?? tokens.find((one) => one.name === name);
  if (token !== undefined) return token;
  const known = tokens.map((one) => one.name);
  throw tokenErrors.notFound(name, known);
}

/** A token in the audit log. The id connects all entries of one token. */
function printToken(owner: string, { id, name }: Pick<TokenRecord, 'id' | 'name'>): string {
  return `${owner}: ${name} (${id})`;
}

function create(
  context: AccountContext,
  store: TokenStore,
  principal: Principal,
  fields: NewToken,
): { token: string; body: TokenBody } {
  const scope = readScope(fields);
  const owner = getOwner(context, principal, fields.owner);
  const others = store.listOf(owner.id);
  if (others.some(({ name }) => name === fields.name)) throw tokenErrors.exists(fields.name);
  if (others.length >= MAX_TOKENS) throw tokenErrors.tooMany(MAX_TOKENS);
  const now = context.clock();
  const { expiresAt = new Date(now.getTime() + DEFAULT_LIFETIME_MS) } = fields;
  if (scope === 'scim' && !owner.superUser) throw tokenErrors.scimOwner(owner.userName);
  if (expiresAt !== null && !(expiresAt > now)) throw tokenErrors.expired();
  const token = generateToken();
  const record: TokenRecord = {
    id: context.newId(),
    ownerId: owner.id,
    creatorId: principal.userId,
    name: fields.name,
    description: fields.description ?? '',
    first8: token.slice(0, 8),
    last4: token.slice(-4),
    scope,
    expiresAt: expiresAt === null ? null : toTimestamp(expiresAt),
    lastUsedAt: null,
    createdAt: toTimestamp(now),
  };
  store.insert(record, hashToken(token));
  return { token, body: toBody(context, record) };
}

function toBody({ users }: AccountContext, record: TokenRecord): TokenBody {
  const { creatorId } = record;
  return {
    id: record.id,
    name: record.name,
    description: record.description,
    owner: present(users.findById(record.ownerId)).userName,
    creator: creatorId === null ? null : present(users.findById(creatorId)).userName,
    first8: record.first8,
    last4: record.last4,
    scope: record.scope,
    read_only: record.scope === 'read',
    expires_at: record.expiresAt,
    last_used_at: record.lastUsedAt,
    created_at: record.createdAt,
  };
}
