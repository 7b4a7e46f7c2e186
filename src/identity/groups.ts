import { toTimestamp } from '../store/clock.ts';
import type { Database } from '../store/database.ts';
import { type AccountContext, checkMayChange, checkMayManage, getUser } from './account-context.ts';
import { checkName, checkText, LONGEST_NAME } from './check-text.ts';
import { groupErrors } from './errors.ts';
import { foldCase } from './fold-case.ts';
import type { Principal } from './principal.ts';

const MOST_GROUPS = 10_000;

/** The name of the group that every user is in, and that is not kept. */
export const EVERYONE = 'everyone';

/** A group, with the user names of its members, sorted. */
export interface GroupBody {
  readonly id: string;
  readonly name: string;
  readonly display_name: string;
  readonly members: readonly string[];
  readonly created_at: string;
  readonly updated_at: string;
}

/**
 * The groups of a home (identity 2): users who are granted something together. Names are compared without regard to
 * case. All throw 403 for who does not manage accounts, 404 for a name that nothing has. Each call is one transaction.
 */
export interface GroupService {
  /** By name. */
  list(principal: Principal): GroupBody[];
  get(principal: Principal, name: string): GroupBody;
  /** Throws 400 for a name that is none, 409 for one that is taken or built in, 422 when there are too many. */
  create(principal: Principal, name: string, displayName?: string): GroupBody;
  /** Puts users into a group: all of them, or none when one is unknown. Those who are in it stay. */
  addMembers(principal: Principal, name: string, userNames: readonly string[]): GroupBody;
  /** Takes users out of a group: all of them, or none when one is not in it. */
  removeMembers(principal: Principal, name: string, userNames: readonly string[]): GroupBody;
  delete(principal: Principal, name: string): void;
}

interface GroupRow {
  readonly id: string;
  readonly name: string;
  readonly display_name: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The groups of an open database. */
export function createGroupService(context: AccountContext): GroupService {
  const { database, audit, announcements } = context;
  const store = createGroupStore(database);

  function asManager<T>(principal: Principal, mode: 'read' | 'write', work: () => T): T {
    return database[mode](() => {
      if (mode === 'write') checkMayChange(principal);
      checkMayManage(context, principal);
      return work();
    });
  }

  function getRow(name: string): GroupRow {
    const row = store.findByName(name);
    if (row !== undefined) return row;
    const known = store.list().map((other) => other.name);
    throw groupErrors.notFound(name, known);
  }

  /** Changes who is in a group, one user after another. */
  function change(
    principal: Principal,
    name: string,
    userNames: readonly string[],
    { action, apply }: MemberChange,
  ): GroupBody {
    const group = getRow(name);
    const users = new Map(
      userNames.map((userName) => getUser(context, userName)).map((user) => [user.id, user]),
    );
    for (const { id, userName } of users.values()) {
      if (apply(group, id, userName))
        audit.record(principal, { action, object: `${group.name}: ${userName}` });
    }
    if (action === 'group.remove') announcements.announce({ kind: 'grant-changed' });
    store.touch(group.id, toTimestamp(context.clock()));
    return store.toBody(getRow(name));
  }

  const add: MemberChange = {
    action: 'group.add',
    apply: (group, userId) => store.addMember(group.id, userId),
  };
  const remove: MemberChange = {
    action: 'group.remove',
    apply: (group, userId, userName) => {
      if (store.removeMember(group.id, userId)) return true;
      throw groupErrors.notAMember(userName, group.name);
    },
  };

  return {
    list: (principal) => asManager(principal, 'read', () => store.list().map(store.toBody)),
    get: (principal, name) => asManager(principal, 'read', () => store.toBody(getRow(name))),
    create: (principal, name, displayName = '') =>
      asManager(principal, 'write', () => {
        const group = create(context, store, name, displayName);
        audit.record(principal, { action: 'group.create', object: group.name });
        return group;
      }),
    addMembers: (principal, name, userNames) =>
      asManager(principal, 'write', () => change(principal, name, userNames, add)),
    removeMembers: (principal, name, userNames) =>
      asManager(principal, 'write', () => change(principal, name, userNames, remove)),
    delete: (principal, name) =>
      asManager(principal, 'write', () => {
        const group = getRow(name);
        store.delete(group.id);
        audit.record(principal, { action: 'group.delete', object: group.name });
        announcements.announce({ kind: 'grant-changed' });
      }),
  };
}

/** What is done with each of the members named; `apply` says whether anything has changed. */
interface MemberChange {
  readonly action: 'group.add' | 'group.remove';
  readonly apply: (group: GroupRow, userId: string, userName: string) => boolean;
}

function create(
  { newId, clock }: AccountContext,
  store: GroupStore,
  name: string,
  displayName: string,
): GroupBody {
  checkName('Group name', name);
  checkText('Display name', displayName, LONGEST_NAME);
  if (foldCase(name) === EVERYONE) throw groupErrors.builtIn(EVERYONE);
  if (store.findByName(name) !== undefined) throw groupErrors.exists(name);
  if (store.count() >= MOST_GROUPS) throw groupErrors.tooMany(MOST_GROUPS);
  const now = toTimestamp(clock());
  const row: GroupRow = { id: newId(), name, display_name: displayName, created_at: now, updated_at: now };
  store.insert(row);
  return store.toBody(row);
}

type GroupStore = ReturnType<typeof createGroupStore>;

/** The rows of groups and their members: the only place with their SQL. Callers hold the transaction. */
export function createGroupStore(database: Database) {
  const columns = 'SELECT id, name, display_name, created_at, updated_at FROM groups';
  const members = (id: string) =>
    database
      .statement<{ user_name: string }>(
        `SELECT user_name FROM users JOIN group_members ON user_id = users.id WHERE group_id = ? ORDER BY user_name_key`,
      )
      .all(id)
      .map((row) => row.user_name);
  return {
    list: () => database.statement<GroupRow>(`${columns} ORDER BY name_key`).all(),
    findByName: (name: string) =>
      database.statement<GroupRow>(`${columns} WHERE name_key = ?`).get(foldCase(name)),
    count: () => database.statement<{ n: number }>('SELECT count(*) AS n FROM groups').get()!.n,
    insert: (row: GroupRow): void => {
      database
        .statement(
          'INSERT INTO groups (id, name, name_key, display_name, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)',
        )
        .run(row.id, row.name, foldCase(row.name), row.display_name, row.created_at, row.updated_at);
    },
    touch: (id: string, at: string): void => {
      database.statement('UPDATE groups SET updated_at = ? WHERE id = ?').run(at, id);
    },
    delete: (id: string): void => {
      database.statement('DELETE FROM groups WHERE id = ?').run(id);
    },
    /** Whether the user was not in it. */
    addMember: (id: string, userId: string): boolean =>
      database
        .statement('INSERT OR IGNORE INTO group_members (group_id, user_id) VALUES (?, ?)')
        .run(id, userId) === 1,
    /** Whether the user was in it. */
    removeMember: (id: string, userId: string): boolean =>
      database.statement('DELETE FROM group_members WHERE group_id = ? AND user_id = ?').run(id, userId) ===
      1,
    toBody: (row: GroupRow): GroupBody => ({ ...row, members: members(row.id) }),
  };
}
