import { present } from '../../../invariants/must.ts';
import { changeGroup, createGroup, deleteGroup, renewGroup } from '../../accounts/change-group.ts';
import type { Principal } from '../../principal/principal.ts';
import { createGroupStore, type GroupRow, type GroupStore } from '../../records/group-store.ts';
import { applyOperation } from '../protocol/apply-operation.ts';
import { scimErrors } from '../protocol/errors.ts';
import { matchesFilter } from '../protocol/match-filter.ts';
import { printList, readRange } from '../protocol/page.ts';
import { countComparisons, type Filter, listEqualities } from '../protocol/parse-filter.ts';
import { type Operation, parsePatch } from '../protocol/parse-patch.ts';
import { isProjected } from '../protocol/project.ts';
import { readResource } from '../protocol/read-resource.ts';
import type { ScimObject, ScimValue } from '../protocol/resource.ts';
import type { Projection, ScimAnswer, ScimChange, ScimResources } from '../protocol/scim-api.ts';
import { checkVersion, printVersion } from '../protocol/version.ts';
import { findSettings, locateGroup, printMember, readGroup, toSettings } from './group-document.ts';
import { GROUP_TYPE } from './group-schema.ts';
import { listGroups, projectGroup } from './list-groups.ts';
import { checkGroup } from './provisioning-limits.ts';
import { asClient, type ScimClient, type ScimContext } from './scim-context.ts';

/** The response to a PATCH has no group with more members than this, unless the request names attributes. */
const MAX_SENT = 1_000;

type Members = ReturnType<typeof createGroupMembers>;

/** Groups for a provisioning service (docs/reference/scim-groups.md). */
export function createScimGroups(context: ScimContext, client: ScimClient): ScimResources {
  const { principal, base } = client;
  const store = createGroupStore(context.database);

  const answer = (row: GroupRow, resource: ScimObject | null): ScimAnswer => ({
    id: row.id,
    version: printVersion(row.revision),
    location: locateGroup(row.id, base),
    resource,
  });
  const answerWhole = (row: GroupRow, projection: Projection) =>
    answer(row, projectGroup(context, base, row, projection));

  /** Changes a group to the document that `revise` returns; `revise` changes the members by itself. */
  function change(
    id: string,
    { ifMatch }: ScimChange,
    revise: (document: ScimObject, members: Members) => ScimObject,
  ): GroupRow {
    const row = getGroup(store, id);
    checkVersion(ifMatch, row.revision);
    const members = createGroupMembers(context, principal, row);
    const settings = findSettings(row, revise(readGroup(row), members));
    if (settings !== null || members.isChanged()) checkGroup(context, principal, row);
    if (settings !== null) return changeGroup(context, store, principal, row, settings);
    return members.isChanged() ? renewGroup(context, store, row) : row;
  }

  return {
    list: async (query) =>
      asClient(context, client, 'read', () => {
        const range = readRange(query);
        return printList(range, listGroups(context, base, query, range));
      }),
    get: async (id, projection) =>
      asClient(context, client, 'read', () => answerWhole(getGroup(store, id), projection)),
    create: async (body, projection) =>
      asClient(context, client, 'write', () => {
        const document = readResource(GROUP_TYPE, body);
        const row = createGroup(context, store, principal, { ...toSettings(document), origin: 'scim' });
        createGroupMembers(context, principal, row).set(document.members);
        return answerWhole(row, projection);
      }),
    replace: async (id, body, options) =>
      asClient(context, client, 'write', () => {
        const row = change(id, options, (_, members) => {
          const document = readResource(GROUP_TYPE, body);
          members.set(document.members);
          return document;
        });
        return answerWhole(row, options.projection);
      }),
    patch: async (id, body, options) =>
      asClient(context, client, 'write', () => {
        const row = change(id, options, (document, members) => patch(document, members, body));
        const isLarge = isUnasked(options.projection) && store.hasMoreThan(id, MAX_SENT);
        return isLarge ? answer(row, null) : answerWhole(row, options.projection);
      }),
    delete: async (id, { ifMatch }) =>
      asClient(context, client, 'write', () => {
        const row = getGroup(store, id);
        checkVersion(ifMatch, row.revision);
        checkGroup(context, principal, row);
        deleteGroup(context, store, principal, row);
      }),
  };
}

function patch(document: ScimObject, members: Members, body: unknown): ScimObject {
  for (const operation of parsePatch(GROUP_TYPE, body)) {
    if (operation.target.attribute?.name === 'members') members.apply(operation);
    else applyOperation(document, operation);
  }
  return document;
}

/** Whether a response would contain the members only because the request names no attributes. */
function isUnasked(projection: Projection): boolean {
  const isAsked = (projection.attributes ?? []).length > 0;
  return !isAsked && isProjected(GROUP_TYPE, 'members', projection);
}

function getGroup(store: GroupStore, id: string): GroupRow {
  const row = store.findById(id);
  if (row === undefined) throw scimErrors.notFound(id);
  return row;
}

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
function createGroupMembers(context: ScimContext, principal: Principal, group: GroupRow) {
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
