import { present } from '../../../invariants/must.ts';
import type { Principal } from '../../principal/principal.ts';
import { createGroupStore, type GroupRow } from '../../records/group-store.ts';
import { scimErrors } from '../protocol/errors.ts';
import { matchesFilter } from '../protocol/match-filter.ts';
import { countComparisons, type Filter, listEqualities } from '../protocol/parse-filter.ts';
import type { Operation } from '../protocol/parse-patch.ts';
import type { ScimObject, ScimValue } from '../protocol/resource.ts';
import { printMember } from './group-document.ts';
import { GROUP_TYPE } from './group-schema.ts';
import type { ScimContext } from './scim-context.ts';

/** The maximum number of members that an entry of the audit log names; for more, it has only their number. */
const MAX_NAMED = 20;

/**
 * The maximum number of comparisons of members with filters in one change. They take about a second, and block all
 * other requests.
 */
const MAX_COMPARISONS = 2_000_000;

const MEMBER = present(GROUP_TYPE.schema.attributes.find(({ name }) => name === 'members')).subAttributes;

/**
 * The members that a provisioning service adds to a group; members from another source stay. Changes are written to the
 * rows directly, so that a large group is not read. The caller holds the transaction.
 */
export function createGroupMembers(context: ScimContext, principal: Principal, group: GroupRow) {
  const { database, audit, announcements } = context;
  const store = createGroupStore(database);
  let isChanged = false;
  let comparisons = 0;
  /**
   * The members for filters, read at the first filter. The list may still contain members that were removed after
   * that.
   */
  let printed: readonly ScimObject[] | null = null;

  function note(action: 'group.add' | 'group.remove', ids: readonly string[]): void {
    if (ids.length === 0) return;
    isChanged = true;
    const who =
      ids.length > MAX_NAMED
        ? `${ids.length} members`
        : store
            .listUsers(ids)
            .map((row) => row.user_name)
            .join(', ');
    audit.record(principal, { action, object: `${group.name}: ${who}` });
    if (action === 'group.remove') announcements.announce({ kind: 'grant-changed' });
  }

  const removeIds = (ids: readonly string[]) =>
    note('group.remove', store.removeMembers(group.id, ids, 'scim'));
  const addIds = (ids: readonly string[]) => {
    printed = null;
    note('group.add', store.addMembers(group.id, ids, 'scim'));
  };

  /** Adds these members, and removes all others. */
  function set(members: ScimValue | undefined): void {
    const ids = readMembers(context, members);
    const newIds = new Set(ids);
    removeIds(store.listIdsBy(group.id, 'scim').filter((id) => !newIds.has(id)));
    addIds(ids);
  }

  function findMatching(filter: Filter): readonly string[] {
    const wanted = listWantedIds(filter);
    if (wanted !== null) return wanted;
    printed ??= store.listMembers(group.id).map((row) => printMember(row, ''));
    comparisons += printed.length * countComparisons(filter);
    if (comparisons > MAX_COMPARISONS) throw scimErrors.tooManyComparisons('members', MAX_COMPARISONS);
    return toIds(printed.filter((member) => matchesFilter(filter, member, MEMBER)));
  }

  function remove(filter: Filter | null, value: readonly ScimValue[] | undefined): void {
    if (filter !== null) removeIds(findMatching(filter));
    else if (value === undefined) set(undefined);
    else removeIds(toIds(value));
  }

  return {
    set,
    /** Applies an operation of a PATCH whose target is the members. */
    apply: (operation: Operation): void => {
      const { op, target } = operation;
      if (op === 'remove') remove(target.filter, operation.value);
      else if (op === 'replace' && target.filter === null) set(operation.value);
      else {
        const ids = readMembers(context, operation.value);
        if (op === 'replace') remove(target.filter, undefined);
        addIds(ids);
      }
    },
    /** Whether a member was added or removed. */
    isChanged: () => isChanged,
  };
}

/** The ids of the members in a body. Throws 400 for an id that no user has. */
function readMembers({ database }: ScimContext, members: ScimValue | undefined): readonly string[] {
  const references = (members ?? []) as readonly ScimObject[];
  const ids = [...new Set(toIds(references))];
  const store = createGroupStore(database);
  const known = new Set(store.listUsers(ids).map(({ id }) => id));
  const unknown = ids.find((id) => !known.has(id));
  const isGroup = references.some(({ type }) => String(type).toLowerCase() === 'group');
  if (isGroup || (unknown !== undefined && store.findById(unknown) !== undefined))
    throw scimErrors.invalidValue('members', 'must be users: groups in groups are not supported');
  if (unknown !== undefined)
    throw scimErrors.invalidValue(
      'members',
      `must be users: no user has the id \`${unknown.slice(0, 200)}\``,
    );
  return ids;
}

function toIds(members: readonly ScimValue[]): readonly string[] {
  return (members as readonly ScimObject[]).map(({ value }) => value as string);
}

/** The ids of a filter that only compares ids with `eq`, joined by `or`; null for any other filter. */
function listWantedIds(filter: Filter): readonly string[] | null {
  if (filter.kind === 'or') {
    const lists = filter.parts.map(listWantedIds);
    return lists.includes(null) ? null : lists.flatMap((list) => list ?? []);
  }
  const [equality, ...others] = listEqualities(filter) ?? [];
  const isId = equality?.path.toLowerCase() === 'value' && others.length === 0;
  return isId && typeof equality.value === 'string' ? [equality.value] : null;
}
