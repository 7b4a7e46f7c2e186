import { type AccountContext, asManager, getUser } from '../context/account-context.ts';
import { groupErrors } from '../errors.ts';
import { checkPageLimit } from '../log-range.ts';
import type { Principal } from '../principal/principal.ts';
import {
  createGroupStore,
  type GroupCondition,
  type GroupRow,
  type GroupStore,
  type ListedMemberRow,
  type MemberPage,
} from '../records/group-store.ts';
import { USER_SOURCES } from '../records/user-filter.ts';
import { changeGroup, createGroup, deleteGroup, renewGroup } from './change-group.ts';
import type { CountedGroupBody, GroupBody, GroupMemberBody, GroupMemberListBody } from './group-body.ts';

/** The names of a group; omitted ones stay as they are. */
interface GroupNames {
  readonly name?: string | undefined;
  readonly displayName?: string | undefined;
}

/** Which groups a list has, by name. */
interface GroupSearch extends Pick<GroupCondition, 'q' | 'source' | 'after'> {
  /** At most 1,000; 100 by default. Null: all. */
  readonly limit?: number | null | undefined;
}

/** A page of groups, and the number of groups on all pages. */
interface CountedGroupPage {
  readonly data: readonly CountedGroupBody[];
  readonly total: number;
}

/** Which members of a group a list has, by user name. */
interface MemberSearch extends Omit<MemberPage, 'limit'> {
  /** At most 1,000; 100 by default. Null: all. */
  readonly limit?: number | null | undefined;
}

/**
 * The groups of a home (docs/reference/accounts.md#groups): users who share grants. Names are compared without regard
 * to case. All methods throw 403 unless the caller manages accounts, and 404 for an unknown name. Each call is one
 * transaction.
 */
export interface GroupService {
  /** By name. */
  list(principal: Principal): GroupBody[];
  /** A page by name, with counts instead of members. Throws 400 for an invalid limit. */
  search(principal: Principal, search: GroupSearch): CountedGroupPage;
  get(principal: Principal, name: string): GroupBody;
  /** A group with the number of its members. */
  getCounts(principal: Principal, name: string): CountedGroupBody;
  /** Throws 400 for an invalid name, 409 for one that is taken or built in, 422 when there are too many groups. */
  create(principal: Principal, name: string, displayName?: string): GroupBody;
  /**
   * Renames a group, or changes its display name; grants and members stay. Throws 400 and 409 as `create` does, and 409
   * for a group that an identity provider keeps.
   */
  set(principal: Principal, name: string, change: GroupNames): GroupBody;
  /** Throws 400 for an invalid limit. */
  listMembers(principal: Principal, name: string, search: MemberSearch): GroupMemberListBody;
  /** Adds users to a group: all of them, or no user when one is unknown. Existing members stay. */
  addMembers(principal: Principal, name: string, userNames: readonly string[]): GroupBody;
  /**
   * Removes users from a group: all of them, or no user when one is not a member. Throws 409 for a member whom only a
   * provisioning service or the identity provider has added.
   */
  removeMembers(principal: Principal, name: string, userNames: readonly string[]): GroupBody;
  delete(principal: Principal, name: string): void;
}

/** The groups of an open database. */
export function createGroupService(context: AccountContext): GroupService {
  const { database, audit, announcements } = context;
  const store = createGroupStore(database);
  const toBodyOf = (row: GroupRow) => toBody(store, row);

  const getRow = (name: string) => getGroupRow(store, name);

  /** Changes the members of a group, one user after another. */
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
    const changed = [...users.values()].filter(({ id, userName }) => apply(group, id, userName));
    for (const { userName } of changed) {
      audit.record(principal, { action, object: `${group.name}: ${userName}` });
    }
    if (action === 'group.remove') announcements.announce({ kind: 'grant-changed' });
    return toBodyOf(changed.length > 0 ? renewGroup(context, store, group) : group);
  }

  const add: MemberChange = {
    action: 'group.add',
    apply: (group, userId) => store.addMembers(group.id, [userId], 'local').length > 0,
  };
  const remove: MemberChange = {
    action: 'group.remove',
    apply: (group, userId, userName) => {
      if (store.removeMembers(group.id, [userId], 'local').length > 0) return true;
      throw store.isMember(group.id, userId)
        ? groupErrors.keptElsewhere(userName, group.name)
        : groupErrors.notAMember(userName, group.name);
    },
  };

  return {
    list: (principal) => asManager(context, principal, 'read', () => store.list().map(toBodyOf)),
    get: (principal, name) => asManager(context, principal, 'read', () => toBodyOf(getRow(name))),
    getCounts: (principal, name) =>
      asManager(context, principal, 'read', () => toCountedBody(store, getRow(name))),
    create: (principal, name, displayName = '') =>
      asManager(context, principal, 'write', () =>
        toBodyOf(createGroup(context, store, principal, { name, displayName, origin: 'local' })),
      ),
    search: (principal, search) => asManager(context, principal, 'read', () => searchGroups(store, search)),
    set: (principal, name, names) =>
      asManager(context, principal, 'write', () =>
        toBodyOf(setNames(context, store, principal, getRow(name), names)),
      ),
    listMembers: (principal, name, { q, after, limit }) =>
      asManager(context, principal, 'read', () => {
        const { id } = getRow(name);
        const rows = store.listMemberPage(id, { q, after, limit: checkPageLimit(limit) });
        return { data: rows.map(toMemberBody), total: store.countMembers(id, q) };
      }),
    addMembers: (principal, name, userNames) =>
      asManager(context, principal, 'write', () => change(principal, name, userNames, add)),
    removeMembers: (principal, name, userNames) =>
      asManager(context, principal, 'write', () => change(principal, name, userNames, remove)),
    delete: (principal, name) =>
      asManager(context, principal, 'write', () => deleteGroup(context, store, principal, getRow(name))),
  };
}

function searchGroups(store: GroupStore, { limit, after, ...condition }: GroupSearch): CountedGroupPage {
  const rows = store.search({ ...condition, after }, checkPageLimit(limit));
  return { data: rows.map((row) => toCountedBody(store, row)), total: store.count(condition) };
}

function setNames(
  context: AccountContext,
  store: GroupStore,
  principal: Principal,
  row: GroupRow,
  { name = row.name, displayName }: GroupNames,
): GroupRow {
  if (row.origin !== 'local') throw groupErrors.ownedElsewhere(row.name);
  if (name === row.name && displayName === undefined) return row;
  const names = { name, ...(displayName === undefined ? {} : { display_name: displayName }) };
  return changeGroup(context, store, principal, row, names);
}

/** A group by name. Throws 404. */
export function getGroupRow(store: GroupStore, name: string): GroupRow {
  const row = store.findByName(name);
  if (row !== undefined) return row;
  const known = store.list().map((other) => other.name);
  throw groupErrors.notFound(name, known);
}

/** A change to each named member; `apply` returns whether the membership changed. */
interface MemberChange {
  readonly action: 'group.add' | 'group.remove';
  readonly apply: (group: GroupRow, userId: string, userName: string) => boolean;
}

function toCountedBody(store: GroupStore, row: GroupRow): CountedGroupBody {
  const { id, name, display_name, origin: source, created_at, updated_at } = row;
  return { id, name, display_name, source, member_count: store.countMembers(id), created_at, updated_at };
}

function toMemberBody({ user_name, display_name, active, sources }: ListedMemberRow): GroupMemberBody {
  const names = sources.split(',');
  return {
    user_name,
    display_name,
    active: active === 1,
    sources: USER_SOURCES.filter((source) => names.includes(source)),
  };
}

function toBody(store: GroupStore, row: GroupRow): GroupBody {
  const { id, name, display_name, created_at, updated_at } = row;
  return { id, name, display_name, members: store.listUserNames(id), created_at, updated_at };
}
