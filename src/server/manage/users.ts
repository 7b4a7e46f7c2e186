import { type Static, Type } from 'typebox';
import { ListedUserSchema, UserListSchema, UserSchema } from '../../identity/accounts/user-body.ts';
import { USER_SORTS, USER_SOURCES, USER_STATES } from '../../identity/records/user-filter.ts';
import type { Instance } from '../../workspace/instance/instance.ts';
import { defineFields } from '../fields/define-fields.ts';
import { choice, flag, queryCount, requiredText, text } from '../fields/kinds.ts';
import { createLine, createName, createUserName, Email } from '../fields/text-schemas.ts';
import { listFailures, NoBodySchema } from '../http/error-schema.ts';
import { inBody, linksTo } from '../http/operation.ts';
import { withHeaders } from '../http/response-headers.ts';
import type { App } from '../http/typed-app.ts';
import { printLocation } from './location.ts';

export type UserResponse = Static<typeof UserSchema>;
export type ListedUserResponse = Static<typeof ListedUserSchema>;
export type UserListResponse = Static<typeof UserListSchema>;

const settings = {
  email: text('E-mail', Email),
  display_name: text('Display name', createLine('Name to show')),
  role: text('Role', createName('ADMIN, EDITOR or VIEWER, ignoring case; other roles give no rights')),
  password: text('Password', Type.String({ minLength: 8, maxLength: 1_000 })),
  password_is_typed: flag('Password is typed', {
    description:
      'Whether a person chose the password. If true, a common password is rejected. Defaults to false',
  }),
  active: flag('Active'),
};

const newUser = defineFields(
  { user_name: requiredText('User name', createUserName()), ...settings },
  { title: 'NewUser' },
);
export type NewUserBody = Static<typeof newUser.schema>;
const userChange = defineFields(settings, { title: 'UserChange' });
export type UserChangeBody = Static<typeof userChange.schema>;
const search = defineFields({
  q: text(
    'Q',
    Type.String({ description: 'Part of the user name, e-mail address or display name, ignoring case' }),
  ),
  role: text('Role', Type.String({ description: 'Role, ignoring case' })),
  state: choice('State', USER_STATES, 'State of the account'),
  source: choice('Source', USER_SOURCES, 'Where the account is from'),
  group: text('Group', Type.String({ description: 'Name of a group, ignoring case' })),
  sort: choice('Sort', USER_SORTS, 'Order; with a minus, downwards. Defaults to `user_name`'),
  limit: queryCount('Limit', { minimum: 1, maximum: 1000, description: 'Defaults to 100' }),
  after: text('After', Type.String({ description: 'User name; returns only users after it in this order' })),
});
const UserParams = Type.Object({ user_name: Type.String({ description: 'User name, ignoring case' }) });

/** The accounts (docs/reference/accounts.md), below `/manage/users`. */
export function addUsers(app: App, instance: Instance): void {
  addListUsers(app, instance);
  addCreateUser(app, instance);
  addOneUser(app, instance);
}

function addListUsers(app: App, { accounts }: Instance): void {
  const schema = {
    tags: ['users'],
    summary: 'List users',
    operationId: 'listUsers',
    scope: 'read',
    description:
      'Lists the users who meet all conditions. Use `after` for the next page. For administrators.',
    example: { parameters: { limit: 10 } },
    querystring: search.schema,
    response: { 200: UserListSchema, ...listFailures(400, 403, 404) },
  };
  app.get('/manage/users', { schema }, (request) =>
    accounts.users.search(request.principal, search.read(request.query)),
  );
}

function addCreateUser(app: App, { accounts }: Instance): void {
  const schema = {
    tags: ['users'],
    summary: 'Create a user',
    operationId: 'createUser',
    scope: 'all',
    description: 'Creates a user. For administrators.',
    example: {
      body: { user_name: 'ada', email: 'ada@example.org', display_name: 'Ada Lovelace', role: 'EDITOR' },
    },
    links: { 201: linksTo(inBody('user_name'), 'getUser', 'updateUser', 'deleteUser') },
    body: newUser.schema,
    response: { 201: withHeaders(UserSchema, 'location'), ...listFailures(400, 403, 409, 413, 415) },
  };
  app.post('/manage/users', { schema }, async (request, reply) => {
    const { userName, ...fields } = newUser.read(request.body);
    const user = await accounts.users.create(request.principal, userName, fields);
    return reply.code(201).header('location', printLocation('users', user.user_name)).send(user);
  });
}

function addOneUser(app: App, { accounts }: Instance): void {
  const shared = { tags: ['users'], params: UserParams };
  const get = {
    ...shared,
    summary: 'Retrieve a user',
    operationId: 'getUser',
    scope: 'read',
    description: 'Retrieves a user. For administrators.',
    example: { parameters: { user_name: 'ada' } },
    response: { 200: ListedUserSchema, ...listFailures(403, 404) },
  };
  app.get('/manage/users/:user_name', { schema: get }, (request) =>
    accounts.users.get(request.principal, request.params.user_name),
  );
  const put = {
    ...shared,
    summary: 'Update a user',
    operationId: 'updateUser',
    scope: 'all',
    description: 'Updates a user. Absent fields stay unchanged. For administrators.',
    example: { parameters: { user_name: 'ada' }, body: { display_name: 'Ada King', active: true } },
    body: userChange.schema,
    response: { 200: UserSchema, ...listFailures(400, 403, 404, 409, 413, 415) },
  };
  app.put('/manage/users/:user_name', { schema: put }, (request) =>
    accounts.users.set(request.principal, request.params.user_name, userChange.readChange(request.body)),
  );
  const remove = {
    ...shared,
    summary: 'Delete a user',
    operationId: 'deleteUser',
    scope: 'all',
    description: 'Deletes a user with their tokens and their `@Personal` folder. For administrators.',
    example: { parameters: { user_name: 'ada' } },
    response: { 204: NoBodySchema, ...listFailures(403, 404, 409) },
  };
  app.delete('/manage/users/:user_name', { schema: remove }, async (request, reply) => {
    accounts.users.delete(request.principal, request.params.user_name);
    return reply.code(204).send(undefined);
  });
}
