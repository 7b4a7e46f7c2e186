import { changeGroup, createGroup, deleteGroup, renewGroup } from '../../accounts/change-group.ts';
import { createGroupStore, type GroupRow, type GroupStore } from '../../records/group-store.ts';
import { applyOperation } from '../protocol/apply-operation.ts';
import { scimErrors } from '../protocol/errors.ts';
import { printList, readRange } from '../protocol/page.ts';
import { parsePatch } from '../protocol/parse-patch.ts';
import { isProjected } from '../protocol/project.ts';
import { readResource } from '../protocol/read-resource.ts';
import type { ScimObject } from '../protocol/resource.ts';
import type { Projection, ScimAnswer, ScimChange, ScimResources } from '../protocol/scim-api.ts';
import { checkVersion, printVersion } from '../protocol/version.ts';
import { findSettings, locateGroup, readGroup, toSettings } from './group-document.ts';
import { createGroupMembers } from './group-members.ts';
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
