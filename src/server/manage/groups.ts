import { type Static, Type } from 'typebox';
import { GroupMemberListSchema, GroupSchema, ListedGroupSchema } from '../../identity/accounts/group-body.ts';
import { checkPageLimit } from '../../identity/log-range.ts';
import { USER_SOURCES } from '../../identity/records/user-filter.ts';
import type { Instance } from '../../workspace/instance/instance.ts';
import { defineFields } from '../fields/define-fields.ts';
import { choice, queryCount, requiredText, requiredTexts, text } from '../fields/kinds.ts';
import { createLine, createName } from '../fields/text-schemas.ts';
import { listFailures, NoBodySchema } from '../http/error-schema.ts';
import { inBody, linksTo } from '../http/operation.ts';
import { withHeaders } from '../http/response-headers.ts';
import type { App } from '../http/typed-app.ts';
import { printLocation } from './location.ts';

const ListSchema = Type.Object(
  {
    data: Type.Immutable(Type.Array(ListedGroupSchema)),
    total: Type.Optional(
      Type.Integer({ description: 'Number of groups on all pages, with `members=count`' }),
    ),
  },
  { title: 'GroupList' },
);

export type GroupListResponse = Static<typeof ListSchema>;
export type GroupResponse = Static<typeof GroupSchema>;
export type ListedGroupResponse = Static<typeof ListedGroupSchema>;
export type GroupMembersResponse = Static<typeof GroupMemberListSchema>;

const newGroup = defineFields(
  {
    name: requiredText('Group name', createName('Unique, ignoring case')),
    display_name: text('Display name', createLine('Name to show')),
  },
  { title: 'NewGroup' },
);
export type NewGroupBody = Static<typeof newGroup.schema>;
const groupChange = defineFields(
  {
    name: text('Group name', createName('Unique, ignoring case')),
    display_name: text('Display name', createLine('Name to show')),
  },
  { title: 'GroupChange' },
);
export type GroupChangeBody = Static<typeof groupChange.schema>;
const groupQuery = defineFields({
  members: choice('Members', ['count'], 'With `count`, a page with counts instead of members'),
  q: text('Q', Type.String({ description: 'Part of the name or display name, ignoring case, with `count`' })),
  source: choice('Source', USER_SOURCES, 'Where the group is from, with `count`'),
  limit: queryCount('Limit', {
    minimum: 1,
    maximum: 1000,
    description: 'Number of groups with `count`. Defaults to 100',
  }),
  after: text('After', Type.String({ description: 'Name; returns only groups after it, with `count`' })),
});
const oneQuery = defineFields({
  members: choice('Members', ['count'], 'With `count`, the number of members instead of their names'),
});
const memberPage = defineFields({
  q: text(
    'Q',
    Type.String({ description: 'Part of the user name, e-mail address or display name, ignoring case' }),
  ),
  limit: queryCount('Limit', { minimum: 1, maximum: 1000, description: 'Defaults to 100' }),
  after: text('After', Type.String({ description: 'User name; returns only members after it' })),
});
const newMembers = defineFields(
  { members: requiredTexts('Members', { description: 'User names' }) },
  { title: 'NewMembers' },
);
export type NewMembersBody = Static<typeof newMembers.schema>;
const GroupParams = Type.Object({ name: Type.String({ description: 'Name of the group, ignoring case' }) });
const MemberParams = Type.Object({ ...GroupParams.properties, user_name: Type.String() });

/** The groups (docs/reference/accounts.md#groups), below `/manage/groups`. */
export function addGroups(app: App, instance: Instance): void {
  addAllGroups(app, instance);
  addOneGroup(app, instance);
  addMembers(app, instance);
}

function addAllGroups(app: App, { accounts }: Instance): void {
  const list = {
    tags: ['groups'],
    summary: 'List groups',
    operationId: 'listGroups',
    scope: 'read',
    description:
      'Lists the groups with their members, or with `members=count` a page of them with numbers of members. For administrators.',
    querystring: groupQuery.schema,
    response: { 200: ListSchema, ...listFailures(400, 403) },
  };
  app.get('/manage/groups', { schema: list }, ({ principal, query }) => {
    const { members, ...search } = groupQuery.read(query);
    if (members === 'count') return accounts.groups.search(principal, search);
    checkPageLimit(search.limit);
    return { data: accounts.groups.list(principal) };
  });
  const create = {
    tags: ['groups'],
    summary: 'Create a group',
    operationId: 'createGroup',
    scope: 'all',
    description: 'Creates a group. For administrators.',
    example: { body: { name: 'analysts' } },
    links: { 201: linksTo(inBody('name'), 'getGroup', 'addGroupMembers', 'deleteGroup') },
    body: newGroup.schema,
    response: { 201: withHeaders(GroupSchema, 'location'), ...listFailures(400, 403, 409, 413, 415, 422) },
  };
  app.post('/manage/groups', { schema: create }, async (request, reply) => {
    const { name, displayName } = newGroup.read(request.body);
    const group = accounts.groups.create(request.principal, name, displayName);
    return reply.code(201).header('location', printLocation('groups', group.name)).send(group);
  });
}

function addOneGroup(app: App, { accounts }: Instance): void {
  const shared = { tags: ['groups'], params: GroupParams };
  const get = {
    ...shared,
    summary: 'Retrieve a group',
    operationId: 'getGroup',
    scope: 'read',
    description: 'Retrieves a group with its members. For administrators.',
    example: { parameters: { name: 'analysts' } },
    querystring: oneQuery.schema,
    response: { 200: ListedGroupSchema, ...listFailures(400, 403, 404) },
  };
  app.get('/manage/groups/:name', { schema: get }, ({ principal, params, query }) =>
    oneQuery.read(query).members === 'count'
      ? accounts.groups.getCounts(principal, params.name)
      : accounts.groups.get(principal, params.name),
  );
  const put = {
    ...shared,
    summary: 'Update a group',
    operationId: 'updateGroup',
    scope: 'all',
    description: 'Renames a group, or changes its display name. Members and grants stay. For administrators.',
    example: { parameters: { name: 'analysts' }, body: { display_name: 'Analysts' } },
    body: groupChange.schema,
    response: { 200: GroupSchema, ...listFailures(400, 403, 404, 409, 413, 415) },
  };
  app.put('/manage/groups/:name', { schema: put }, (request) =>
    accounts.groups.set(request.principal, request.params.name, groupChange.readChange(request.body)),
  );
  const remove = {
    ...shared,
    summary: 'Delete a group',
    operationId: 'deleteGroup',
    scope: 'all',
    description: 'Deletes a group. The users in it are not deleted.',
    example: { parameters: { name: 'analysts' } },
    response: { 204: NoBodySchema, ...listFailures(403, 404) },
  };
  app.delete('/manage/groups/:name', { schema: remove }, async (request, reply) => {
    accounts.groups.delete(request.principal, request.params.name);
    return reply.code(204).send(undefined);
  });
}

function addMembers(app: App, { accounts }: Instance): void {
  const list = {
    tags: ['groups'],
    summary: 'List the members of a group',
    operationId: 'listGroupMembers',
    scope: 'read',
    description:
      'Lists or searches the members of a group, sorted by user name. Use `after` for the next page. For administrators.',
    example: { parameters: { name: 'analysts', limit: 10 } },
    params: GroupParams,
    querystring: memberPage.schema,
    response: { 200: GroupMemberListSchema, ...listFailures(400, 403, 404) },
  };
  app.get('/manage/groups/:name/members', { schema: list }, (request) =>
    accounts.groups.listMembers(request.principal, request.params.name, memberPage.read(request.query)),
  );
  const add = {
    tags: ['groups'],
    summary: 'Add users to a group',
    operationId: 'addGroupMembers',
    scope: 'all',
    description: 'Adds users to a group. If one user is unknown, none is added.',
    example: { parameters: { name: 'analysts' }, body: { members: ['ada'] } },
    params: GroupParams,
    body: newMembers.schema,
    response: { 200: GroupSchema, ...listFailures(400, 403, 404, 413, 415) },
  };
  app.post('/manage/groups/:name/members', { schema: add }, (request) => {
    const { members } = newMembers.read(request.body);
    return accounts.groups.addMembers(request.principal, request.params.name, members);
  });
  const remove = {
    tags: ['groups'],
    summary: 'Remove a user from a group',
    operationId: 'removeGroupMember',
    scope: 'all',
    description: 'Removes a user from a group.',
    example: { parameters: { name: 'analysts', user_name: 'ada' } },
    params: MemberParams,
    response: { 204: NoBodySchema, ...listFailures(403, 404) },
  };
  app.delete('/manage/groups/:name/members/:user_name', { schema: remove }, async (request, reply) => {
    const { name, user_name: userName } = request.params;
    accounts.groups.removeMembers(request.principal, name, [userName]);
    return reply.code(204).send(undefined);
  });
}
