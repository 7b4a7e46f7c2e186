import { present } from '../../invariants/must.ts';
import type { Database } from '../../store/database.ts';
import { type Clock, toTimestamp } from '../../store/values/clock.ts';
import { foldCase } from '../../store/values/fold-case.ts';
import type { NewId } from '../../store/values/uuid.ts';
import { toWhere } from '../../store/values/where.ts';
import { emailTaken, notUnicode, required, userNameTaken } from '../errors.ts';
import type { Origin, Principal } from '../principal/principal.ts';
import {
  type DefaultRole,
  findEffectiveRole,
  isAdministrator,
  isViewer,
  type Role,
  toStoredRole,
} from '../principal/roles.ts';
import { hasScope } from '../principal/scopes.ts';
import { createInvitationStore } from './invitation-store.ts';
import {
  listConditions,
  listPageConditions,
  printOrder,
  type USER_SOURCES,
  type UserFilter,
  type UserOrder,
} from './user-filter.ts';

/** The origin of an account, a group or a membership. */
export type AccountOrigin = (typeof USER_SOURCES)[number];

/** An account. Times are ISO 8601, UTC. */
export interface User {
  readonly id: string;
  readonly userName: string;
  readonly email: string | null;
  readonly displayName: string;
  readonly superUser: boolean;
  /** As stored; null for an administrator and for a user without a role. `roleOf` returns the role to show. */
  readonly role: string | null;
  /** The role that decides the user's rights. */
  readonly effectiveRole: Role;
  readonly active: boolean;
  /** Whether it was created disabled, until an administrator enables it. */
  readonly isWaiting: boolean;
  /** The id that a provisioning service uses for the account; null if none. */
  readonly externalId: string | null;
  /** Whether the user signs in elsewhere. */
  readonly external: boolean;
  readonly origin: AccountOrigin;
  /** Further attributes from a provisioning service, as a JSON string. */
  readonly attributes: string;
  /** Increases with each change. */
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** An account to create: active and without administrator rights by default. */
export interface NewUser extends Partial<Pick<User, 'externalId' | 'external' | 'attributes'>> {
  readonly userName: string;
  /** Defaults to the user name if that is an e-mail address. */
  readonly email?: string;
  readonly displayName?: string;
  /** A finished hash (a PHC string), never a password. */
  readonly passwordHash?: string;
  /** ADMIN also sets `superUser`. */
  readonly role?: string;
  readonly superUser?: boolean;
  readonly active?: boolean;
  readonly isWaiting?: boolean;
  /** `local` by default. */
  readonly origin?: AccountOrigin;
}

/**
 * A change of an account; omitted properties stay as they are. One exception: `superUser` false without a role also
 * clears the stored role. An empty e-mail removes the address.
 */
export type UserChange = Partial<Omit<NewUser, 'origin' | 'isWaiting'>>;

/**
 * The settings of the first administrator. The user name is `admin` by default; the e-mail is the user name if that is
 * an address, else `admin@localhost`.
 */
type NewOwner = Partial<Pick<NewUser, 'userName' | 'displayName' | 'passwordHash'>> & {
  readonly email?: string | undefined;
};

/** The accounts of a home (docs/reference/accounts.md). */
export interface UserService {
  /** Throws 409 when the user name or the e-mail is taken without regard to case, 400 for an invalid name. */
  create(user: NewUser): User;
  /**
   * Throws 409 and 400 as `create` does. The caller checks permissions. A new password, disabling and signing in elsewhere
   * revoke the invitation of the user.
   */
  update(user: User, change: UserChange): User;
  /** Deletes an account with its tokens and memberships. The caller checks permissions. */
  delete(id: string): void;
  /** By user name. */
  list(): User[];
  /** The accounts that a filter selects, in an order; `filter` and `order` are checked. */
  search(filter: UserFilter, order: UserOrder): { readonly users: readonly User[]; readonly total: number };
  /** At most `limit` accounts from `offset` on, in the order of creation. */
  listPage(offset: number, limit: number): User[];
  /** The user names near an unknown one, in alphabetical order: at most 1,000 before it and 1,000 after it. */
  listNamesAround(userName: string): string[];
  count(): number;
  /** Whether this active administrator is the only one. */
  isLastAdministrator(user: User): boolean;
  /** The owner of the home. Creates a missing owner, so two calls or two processes are safe. */
  ensureOwner(owner?: NewOwner): User;
  /** The active administrator who was created first. */
  findOwner(): User | undefined;
  findById(id: string): User | undefined;
  /** Without regard to case. */
  findByUserName(userName: string): User | undefined;
  /** Without regard to case. */
  findByEmail(email: string): User | undefined;
  /** By user name, else by e-mail. */
  findByLogin(login: string): User | undefined;
  /** The PHC string of a user's password; null for a user who has no password or does not exist. */
  readPasswordHash(id: string): string | null;
  /**
   * Replaces the hash of a password with another hash of the same password; returns whether `from` was still current.
   */
  renewPasswordHash(id: string, from: string, to: string): boolean;
  /** The role that decides the rights of such a user. */
  effectiveRoleOf(user: Pick<User, 'superUser' | 'role'>): Role;
}

export interface UserServiceOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly newId: NewId;
  /** Called within the transaction that creates a user: creates the data that other modules store for a user. */
  readonly onCreated: (user: User) => void;
  /** The role of users without a known role. EDITOR by default. */
  readonly defaultRole?: () => DefaultRole;
}

type EffectiveRoleOf = UserService['effectiveRoleOf'];

const FIRST_REVISION = 1;

/** The maximum number of names read before a name, and after it. */
const MAX_AROUND = 1_000;

/** The properties of a user that a principal needs. */
export type Acting = Pick<User, 'id' | 'userName' | 'superUser' | 'effectiveRole'>;

/** The principal of a user; `origin` is the origin of the request. */
export function toPrincipal(user: Acting, origin?: Origin): Principal {
  const { id: userId, userName, superUser } = user;
  const viewsOnly = isViewer(user) || !hasScope(origin === undefined ? {} : { origin }, 'write');
  return { userId, userName, superUser, viewsOnly, ...(origin === undefined ? {} : { origin }) };
}

interface UserRow {
  readonly id: string;
  readonly user_name: string;
  readonly email: string | null;
  readonly display_name: string;
  readonly super_user: number;
  readonly role: string | null;
  readonly active: number;
  readonly waiting: number;
  readonly external_id: string | null;
  readonly external: number;
  readonly origin: AccountOrigin;
  readonly attributes: string;
  readonly revision: number;
  readonly created_at: string;
  readonly updated_at: string;
}

const SELECT = `
  SELECT id, user_name, email, display_name, super_user, role, active, waiting, external_id, external, origin,
         attributes, revision, created_at, updated_at
  FROM users
`;

const INSERT = `
  INSERT INTO users (user_name, user_name_key, email, email_key, display_name, display_name_key, password_hash, super_user,
                     role, active, waiting, external_id, external, attributes, revision, updated_at, id, origin, created_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
`;

const UPDATE = `
  UPDATE users SET user_name = ?, user_name_key = ?, email = ?, email_key = ?, display_name = ?,
                   display_name_key = ?, password_hash = coalesce(?, password_hash), super_user = ?, role = ?, active = ?,
                   waiting = ?, external_id = ?, external = ?, attributes = ?, revision = ?, updated_at = ?
  WHERE id = ?
`;

/** The accounts stored in `database`. */
export function createUserService(options: UserServiceOptions): UserService {
  const { database, clock, newId, onCreated, defaultRole = () => 'EDITOR' } = options;

  const effectiveRoleOf: EffectiveRoleOf = (user) => findEffectiveRole(user, defaultRole);
  const finders = createFinders(database, effectiveRoleOf);
  const invitations = createInvitationStore(database);
  const { findByUserName, findByEmail, findOwner } = finders;

  function insert(user: NewUser): User {
    const created = toNew(user, newId(), toTimestamp(clock()), effectiveRoleOf);
    check(created);
    const values = toValues(created, user.passwordHash);
    database.statement(INSERT).run(...values, created.id, created.origin, created.createdAt);
    onCreated(created);
    return created;
  }

  function update(user: User, change: UserChange): User {
    const changed = toChanged(user, change, toTimestamp(clock()), effectiveRoleOf);
    check(changed);
    database.statement(UPDATE).run(...toValues(changed, change.passwordHash), changed.id);
    if (change.passwordHash !== undefined || !changed.active || changed.external)
      invitations.deleteOf(user.id);
    return changed;
  }

  /** Throws when the account is invalid or conflicts with another account. */
  function check(user: User): void {
    checkUser(user);
    const namesake = findByUserName(user.userName);
    if (namesake !== undefined && namesake.id !== user.id) throw userNameTaken(user.userName);
    if (user.email === null) return;
    const holder = findByEmail(user.email);
    if (holder !== undefined && holder.id !== user.id) throw emailTaken(user.email);
  }

  return {
    create: (user) => database.write(() => insert(user)),
    update: (user, change) => database.write(() => update(user, change)),
    delete: (id) =>
      database.write(() => {
        database.statement('DELETE FROM users WHERE id = ?').run(id);
      }),
    ensureOwner: (owner) => database.write(() => findOwner() ?? insert(toOwner(owner))),
    effectiveRoleOf,
    ...createLists(database, effectiveRoleOf, defaultRole),
    ...finders,
    ...createHashes(database),
  };
}

function toOwner({ userName = 'admin', email, ...owner }: NewOwner = {}): NewUser {
  return {
    ...owner,
    userName,
    email: email ?? findEmailIn(userName) ?? 'admin@localhost',
    superUser: true,
  };
}

function toNew(user: NewUser, id: string, now: string, effectiveRoleOf: EffectiveRoleOf): User {
  return {
    id,
    userName: user.userName,
    email: user.email || findEmailIn(user.userName),
    displayName: user.displayName ?? '',
    ...toRights(user, effectiveRoleOf),
    active: user.active ?? true,
    isWaiting: user.isWaiting ?? false,
    externalId: user.externalId ?? null,
    external: user.external ?? false,
    origin: user.origin ?? 'local',
    attributes: user.attributes ?? '{}',
    revision: FIRST_REVISION,
    createdAt: now,
    updatedAt: now,
  };
}

function toChanged(user: User, change: UserChange, now: string, effectiveRoleOf: EffectiveRoleOf): User {
  return {
    ...user,
    userName: change.userName ?? user.userName,
    email: change.email === undefined ? user.email : change.email || null,
    displayName: change.displayName ?? user.displayName,
    ...(change.role === undefined && change.superUser === undefined ? {} : toRights(change, effectiveRoleOf)),
    active: change.active ?? user.active,
    isWaiting: user.isWaiting && change.active !== true,
    externalId: change.externalId === undefined ? user.externalId : change.externalId,
    external: change.external ?? user.external,
    attributes: change.attributes ?? user.attributes,
    revision: user.revision + 1,
    updatedAt: now,
  };
}

const LIST = {
  all: `${SELECT} ORDER BY user_name_key`,
  /** The skipped rows are counted in an index without reading them. */
  page: `${SELECT} WHERE id IN (SELECT id FROM users ORDER BY created_at, id LIMIT ? OFFSET ?) ORDER BY created_at, id`,
  before: 'SELECT user_name FROM users WHERE user_name_key < ? ORDER BY user_name_key DESC LIMIT ?',
  after: 'SELECT user_name FROM users WHERE user_name_key > ? ORDER BY user_name_key LIMIT ?',
  count: 'SELECT count(*) AS n FROM users',
  otherAdministrator: 'SELECT 1 FROM users WHERE super_user = 1 AND active = 1 AND id <> ? LIMIT 1',
};

type Lists = 'list' | 'search' | 'listPage' | 'listNamesAround' | 'count' | 'isLastAdministrator';

function createLists(
  database: Database,
  effectiveRoleOf: EffectiveRoleOf,
  defaultRole: () => DefaultRole,
): Pick<UserService, Lists> {
  const { statement } = database;
  const listNames = (sql: string, userName: string) =>
    statement<{ user_name: string }>(sql)
      .all(foldCase(userName), MAX_AROUND)
      .map((row) => row.user_name);
  const read = (row: UserRow) => toUser(row, effectiveRoleOf);
  return {
    list: () => statement<UserRow>(LIST.all).all().map(read),
    search: (filter, order) => {
      const conditions = listConditions(filter, defaultRole());
      const all = toWhere(conditions);
      const rest = toWhere([...conditions, ...listPageConditions(order)]);
      const rows = statement<UserRow>(`${SELECT} ${rest.text} ${printOrder(order)} LIMIT ?`);
      const { n } = present(statement<{ n: number }>(`${LIST.count} ${all.text}`).get(...all.values));
      return { users: rows.all(...rest.values, order.limit).map(read), total: n };
    },
    listPage: (offset, limit) => statement<UserRow>(LIST.page).all(limit, offset).map(read),
    listNamesAround: (userName) => [
      ...listNames(LIST.before, userName).reverse(),
      ...listNames(LIST.after, userName),
    ],
    count: () => present(statement<{ n: number }>(LIST.count).get()).n,
    isLastAdministrator: (user) =>
      user.superUser && user.active && statement(LIST.otherAdministrator).get(user.id) === undefined,
  };
}

function createHashes(database: Database): Pick<UserService, 'readPasswordHash' | 'renewPasswordHash'> {
  const read = 'SELECT password_hash FROM users WHERE id = ?';
  const renew = 'UPDATE users SET password_hash = ? WHERE id = ? AND password_hash = ?';
  return {
    readPasswordHash: (id) =>
      database.statement<{ password_hash: string | null }>(read).get(id)?.password_hash ?? null,
    renewPasswordHash: (id, from, to) =>
      database.write(() => database.statement(renew).run(to, id, from) === 1),
  };
}

/** Built once, because every request looks up a user. */
const FIND = {
  byId: `${SELECT} WHERE id = ?`,
  byUserName: `${SELECT} WHERE user_name_key = ?`,
  byEmail: `${SELECT} WHERE email_key = ?`,
  owner: `${SELECT} WHERE super_user = 1 AND active = 1 ORDER BY created_at, id LIMIT 1`,
};

function createFinders(database: Database, effectiveRoleOf: EffectiveRoleOf) {
  const find = (sql: string, ...values: string[]): User | undefined => {
    const row = database.statement<UserRow>(sql).get(...values);
    return row && toUser(row, effectiveRoleOf);
  };
  const byId = database.createCache<User | undefined>();
  const findByUserName = (userName: string) => find(FIND.byUserName, foldCase(userName));
  const findByEmail = (email: string) => find(FIND.byEmail, foldCase(email));
  return {
    findById: (id: string) => byId.get(id, () => find(FIND.byId, id)),
    findByUserName,
    findByEmail,
    findByLogin: (login: string) => findByUserName(login) ?? findByEmail(login),
    findOwner: () => find(FIND.owner),
  };
}

function checkUser(user: Pick<User, 'userName' | 'email' | 'displayName'>): void {
  if (user.userName === '') throw required('User name');
  if (!user.userName.isWellFormed()) throw notUnicode('User name');
  if (user.email?.isWellFormed() === false) throw notUnicode('E-mail');
  if (!user.displayName.isWellFormed()) throw notUnicode('Display name');
}

/** Returns the user name if it is an e-mail address, else null. */
export function findEmailIn(userName: string): string | null {
  return /^[^\s@]+@[^\s@]+$/.test(userName) ? userName : null;
}

/** The columns of an account that can change, in the order of both statements. */
function toValues(user: User, passwordHash: string | undefined): (string | number | null)[] {
  return [
    user.userName,
    foldCase(user.userName),
    user.email,
    user.email === null ? null : foldCase(user.email),
    user.displayName,
    foldCase(user.displayName),
    passwordHash ?? null,
    Number(user.superUser),
    user.role,
    Number(user.active),
    Number(user.isWaiting),
    user.externalId,
    Number(user.external),
    user.attributes,
    user.revision,
    user.updatedAt,
  ];
}

/** `superUser` and the role ADMIN mean the same; only `superUser` is stored. */
function toRights(
  { superUser, role }: Pick<NewUser, 'superUser' | 'role'>,
  effectiveRoleOf: EffectiveRoleOf,
): Pick<User, 'superUser' | 'role' | 'effectiveRole'> {
  const isSuper = superUser ?? (role !== undefined && isAdministrator(role));
  const isKept = role !== undefined && !isAdministrator(role) && !isSuper;
  const rights = { superUser: isSuper, role: isKept ? toStoredRole(role) : null };
  return { ...rights, effectiveRole: effectiveRoleOf(rights) };
}

function toUser(row: UserRow, effectiveRoleOf: EffectiveRoleOf): User {
  const [superUser, role] = [row.super_user === 1, row.role];
  return {
    id: row.id,
    userName: row.user_name,
    email: row.email,
    displayName: row.display_name,
    superUser,
    role,
    effectiveRole: effectiveRoleOf({ superUser, role }),
    active: row.active === 1,
    isWaiting: row.waiting === 1,
    externalId: row.external_id,
    external: row.external === 1,
    origin: row.origin,
    attributes: row.attributes,
    revision: row.revision,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
