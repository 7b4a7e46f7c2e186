import { type Clock, toTimestamp } from '../store/clock.ts';
import type { Database } from '../store/database.ts';
import type { NewId } from '../store/uuid.ts';
import { emailTaken, notUnicode, required, userNameTaken } from './errors.ts';
import { foldCase } from './fold-case.ts';
import type { Origin, Principal } from './principal.ts';
import { isAdministrator, isViewer, toStoredRole } from './roles.ts';

/** An account. Times are ISO 8601, UTC. */
export interface User {
  readonly id: string;
  readonly userName: string;
  readonly email: string | null;
  readonly displayName: string;
  readonly superUser: boolean;
  /** As it is kept; null for a super-user, and for one who was given none. `roleOf` says what that comes to. */
  readonly role: string | null;
  readonly active: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** An account to be made: active and without rights of its own unless said otherwise. */
interface NewUser {
  readonly userName: string;
  /** Without one, a user name that is an e-mail address is taken. */
  readonly email?: string;
  readonly displayName?: string;
  /** A finished hash (a PHC string), never a password. */
  readonly passwordHash?: string;
  /** That of administrators makes a super-user, too. */
  readonly role?: string;
  readonly superUser?: boolean;
  readonly active?: boolean;
}

/** What is to become of an account; what is left out stays. */
interface UserChange extends Partial<Pick<NewUser, 'displayName' | 'passwordHash' | 'role' | 'active'>> {
  /** Empty: none. */
  readonly email?: string;
}

/** What can be said about the first administrator; `admin` and `admin@localhost` by default. */
type NewOwner = Partial<Pick<NewUser, 'userName' | 'email' | 'displayName' | 'passwordHash'>>;

/** The accounts of a home (identity 1). */
export interface UserService {
  /** Throws 409 when the user name or the e-mail is taken without regard to case, 400 for a name that is none. */
  create(user: NewUser): User;
  /** Throws 409 for an e-mail that is taken, 400 for text that is none. Who may do it is for the caller to know. */
  update(user: User, change: UserChange): User;
  /** Deletes an account with its tokens and memberships. Who may do it is for the caller to know. */
  delete(id: string): void;
  /** By user name. */
  list(): User[];
  /** The owner; made first when the home has none, so that doing this twice, or in two processes, is safe. */
  ensureOwner(owner?: NewOwner): User;
  /** The first administrator: of the active super-users the one that was made first. */
  findOwner(): User | undefined;
  findById(id: string): User | undefined;
  /** Without regard to case. */
  findByUserName(userName: string): User | undefined;
  /** Without regard to case. */
  findByEmail(email: string): User | undefined;
  /** By user name, else by e-mail. */
  findByLogin(login: string): User | undefined;
  /** The PHC string of a user's password; null for who has none, or is gone. */
  readPasswordHash(id: string): string | null;
  /** Puts another hash of the same password in place of this one; whether that was still there. */
  renewPasswordHash(id: string, from: string, to: string): boolean;
}

/** What the accounts are made of. */
export interface UserServiceOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly newId: NewId;
  /** Called within the transaction that makes a user: gives it what other modules keep for a user. */
  readonly onCreated: (user: User) => void;
}

/** As much of a user as says who acts. */
export type Acting = Pick<User, 'id' | 'userName' | 'superUser' | 'role'>;

/** Who acts when this user does, `origin` being what the request came in by. */
export function toPrincipal(user: Acting, origin?: Origin): Principal {
  const { id: userId, userName, superUser } = user;
  const viewsOnly = isViewer(user) || origin?.readOnly === true;
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
  readonly created_at: string;
  readonly updated_at: string;
}

const SELECT = `
  SELECT id, user_name, email, display_name, super_user, role, active, created_at, updated_at FROM users
`;

const INSERT = `
  INSERT INTO users (email, email_key, display_name, password_hash, super_user, role, active, updated_at,
                     id, user_name, user_name_key, created_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
`;

const UPDATE = `
  UPDATE users SET email = ?, email_key = ?, display_name = ?, password_hash = coalesce(?, password_hash),
                   super_user = ?, role = ?, active = ?, updated_at = ?
  WHERE id = ?
`;

/** The accounts kept in `database`. */
export function createUserService(options: UserServiceOptions): UserService {
  const { database, clock, newId, onCreated } = options;

  const finders = createFinders(database);
  const { findByUserName, findByEmail, findOwner } = finders;

  function insert(user: NewUser): User {
    checkUser(user);
    const email = user.email || toEmail(user.userName);
    if (findByUserName(user.userName)) throw userNameTaken(user.userName);
    if (email !== null && findByEmail(email)) throw emailTaken(email);
    const now = toTimestamp(clock());
    const created: User = {
      id: newId(),
      userName: user.userName,
      email,
      displayName: user.displayName ?? '',
      ...toRights(user),
      active: user.active ?? true,
      createdAt: now,
      updatedAt: now,
    };
    const { id, userName, createdAt } = created;
    const values = toValues(created, user.passwordHash);
    database.statement(INSERT).run(...values, id, userName, foldCase(userName), createdAt);
    onCreated(created);
    return created;
  }

  function update(user: User, change: UserChange): User {
    checkUser({ userName: user.userName, ...change });
    const email = change.email === undefined ? user.email : change.email || null;
    const holder = email === null ? undefined : findByEmail(email);
    if (holder !== undefined && holder.id !== user.id) throw emailTaken(email!);
    const changed: User = {
      ...user,
      email,
      displayName: change.displayName ?? user.displayName,
      ...(change.role === undefined ? {} : toRights({ role: change.role })),
      active: change.active ?? user.active,
      updatedAt: toTimestamp(clock()),
    };
    database.statement(UPDATE).run(...toValues(changed, change.passwordHash), changed.id);
    return changed;
  }

  return {
    create: (user) => database.write(() => insert(user)),
    update: (user, change) => database.write(() => update(user, change)),
    delete: (id) =>
      database.write(() => {
        database.statement('DELETE FROM users WHERE id = ?').run(id);
      }),
    list: () => database.statement<UserRow>(`${SELECT} ORDER BY user_name_key`).all().map(toUser),
    ensureOwner: (owner) =>
      database.write(
        () =>
          findOwner() ?? insert({ userName: 'admin', email: 'admin@localhost', ...owner, superUser: true }),
      ),
    ...finders,
    ...createHashes(database),
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

/** Put together once: a user is looked up at every request. */
const FIND = {
  byId: `${SELECT} WHERE id = ?`,
  byUserName: `${SELECT} WHERE user_name_key = ?`,
  byEmail: `${SELECT} WHERE email_key = ?`,
  owner: `${SELECT} WHERE super_user = 1 AND active = 1 ORDER BY created_at, id LIMIT 1`,
};

function createFinders(database: Database) {
  const find = (sql: string, ...values: string[]): User | undefined => {
    const row = database.statement<UserRow>(sql).get(...values);
    return row && toUser(row);
  };
  const findByUserName = (userName: string) => find(FIND.byUserName, foldCase(userName));
  const findByEmail = (email: string) => find(FIND.byEmail, foldCase(email));
  return {
    findById: (id: string) => find(FIND.byId, id),
    findByUserName,
    findByEmail,
    findByLogin: (login: string) => findByUserName(login) ?? findByEmail(login),
    findOwner: () => find(FIND.owner),
  };
}

function checkUser(user: Pick<NewUser, 'userName' | 'email' | 'displayName'>): void {
  if (user.userName === '') throw required('User name');
  if (!user.userName.isWellFormed()) throw notUnicode('User name');
  if (user.email?.isWellFormed() === false) throw notUnicode('E-mail');
  if (user.displayName?.isWellFormed() === false) throw notUnicode('Display name');
}

function toEmail(userName: string): string | null {
  return /^[^\s@]+@[^\s@]+$/.test(userName) ? userName : null;
}

/** What can be changed of an account, in the order of both statements. */
function toValues(user: User, passwordHash: string | undefined): (string | number | null)[] {
  return [
    user.email,
    user.email === null ? null : foldCase(user.email),
    user.displayName,
    passwordHash ?? null,
    Number(user.superUser),
    user.role,
    Number(user.active),
    user.updatedAt,
  ];
}

/** A super-user and the role of administrators are one fact, kept once. */
function toRights({
  superUser,
  role,
}: Pick<NewUser, 'superUser' | 'role'>): Pick<User, 'superUser' | 'role'> {
  const isSuper = superUser ?? (role !== undefined && isAdministrator(role));
  const isKept = role !== undefined && !isAdministrator(role) && !isSuper;
  return { superUser: isSuper, role: isKept ? toStoredRole(role) : null };
}

function toUser(row: UserRow): User {
  return {
    id: row.id,
    userName: row.user_name,
    email: row.email,
    displayName: row.display_name,
    superUser: row.super_user === 1,
    role: row.role,
    active: row.active === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
