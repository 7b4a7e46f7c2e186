import { type Clock, toTimestamp } from '../store/clock.ts';
import type { Database } from '../store/database.ts';
import type { NewId } from '../store/uuid.ts';
import { emailTaken, notUnicode, userNameRequired, userNameTaken } from './errors.ts';
import type { Principal } from './principal.ts';

/** An account. Times are ISO 8601, UTC. */
export interface User {
  readonly id: string;
  readonly userName: string;
  readonly email: string | null;
  readonly displayName: string;
  readonly superUser: boolean;
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
  readonly superUser?: boolean;
  readonly active?: boolean;
}

/** What can be said about the first administrator; `admin` and `admin@localhost` by default. */
type NewOwner = Partial<Pick<NewUser, 'userName' | 'email' | 'displayName' | 'passwordHash'>>;

/** The accounts of a home (identity 1). */
export interface UserService {
  /** Throws 409 when the user name or the e-mail is taken without regard to case, 400 for a name that is none. */
  create(user: NewUser): User;
  /** The owner; made first when the home has none, so that doing this twice, or in two processes, is safe. */
  ensureOwner(owner?: NewOwner): User;
  /** The first administrator: of the active super-users the one that was made first. */
  findOwner(): User | undefined;
  findById(id: string): User | undefined;
  /** Without regard to case. */
  findByUserName(userName: string): User | undefined;
  /** Without regard to case. */
  findByEmail(email: string): User | undefined;
}

/** What the accounts are made of. */
export interface UserServiceOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly newId: NewId;
  /** Called within the transaction that makes a user: gives it what other modules keep for a user. */
  readonly onCreated: (user: User) => void;
}

/** Who acts when this user does. */
export function toPrincipal(user: User): Principal {
  return { userId: user.id, userName: user.userName, superUser: user.superUser };
}

/** The form in which names are compared: composed, and in lower case whatever the locale. */
function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

interface UserRow {
  readonly id: string;
  readonly user_name: string;
  readonly email: string | null;
  readonly display_name: string;
  readonly super_user: number;
  readonly active: number;
  readonly created_at: string;
  readonly updated_at: string;
}

const SELECT = `
  SELECT id, user_name, email, display_name, super_user, active, created_at, updated_at FROM users
`;

const INSERT = `
  INSERT INTO users (id, user_name, user_name_key, email, email_key, display_name, password_hash,
                     super_user, active, created_at, updated_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
`;

/** The accounts kept in `database`. */
export function createUserService(options: UserServiceOptions): UserService {
  const { database, clock, newId, onCreated } = options;

  const findBy = (condition: string, ...values: string[]): User | undefined => {
    const row = database.statement<UserRow>(`${SELECT} WHERE ${condition}`).get(...values);
    return row && toUser(row);
  };
  const findById = (id: string) => findBy('id = ?', id);
  const findByUserName = (userName: string) => findBy('user_name_key = ?', foldCase(userName));
  const findByEmail = (email: string) => findBy('email_key = ?', foldCase(email));
  const findOwner = () => findBy('super_user = 1 AND active = 1 ORDER BY created_at, id LIMIT 1');

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
      superUser: user.superUser ?? false,
      active: user.active ?? true,
      createdAt: now,
      updatedAt: now,
    };
    database.statement(INSERT).run(...toRow(created, user.passwordHash ?? null));
    onCreated(created);
    return created;
  }

  const create = (user: NewUser) => database.write(() => insert(user));

  return {
    create,
    ensureOwner: (owner) =>
      database.write(
        () =>
          findOwner() ?? insert({ userName: 'admin', email: 'admin@localhost', ...owner, superUser: true }),
      ),
    findOwner,
    findById,
    findByUserName,
    findByEmail,
  };
}

function checkUser(user: NewUser): void {
  if (user.userName === '') throw userNameRequired();
  if (!user.userName.isWellFormed()) throw notUnicode('User name');
  if (user.email?.isWellFormed() === false) throw notUnicode('E-mail');
  if (user.displayName?.isWellFormed() === false) throw notUnicode('Display name');
}

function toEmail(userName: string): string | null {
  return /^[^\s@]+@[^\s@]+$/.test(userName) ? userName : null;
}

function toRow(user: User, passwordHash: string | null): (string | number | null)[] {
  return [
    user.id,
    user.userName,
    foldCase(user.userName),
    user.email,
    user.email === null ? null : foldCase(user.email),
    user.displayName,
    passwordHash,
    Number(user.superUser),
    Number(user.active),
    user.createdAt,
    user.updatedAt,
  ];
}

function toUser(row: UserRow): User {
  return {
    id: row.id,
    userName: row.user_name,
    email: row.email,
    displayName: row.display_name,
    superUser: row.super_user === 1,
    active: row.active === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
