import { type Static, type TOptional, type TSchema, type TSchemaOptions, type TUnsafe, Type } from 'typebox';
import { type ConnectionTestBody, ConnectionTestSchema } from '../../bodies/connection-test-body.ts';
import { MaybeCount, MaybeText } from '../../bodies/field-schemas.ts';
import { ConnectionKindSchema, ConnectionSchema } from '../../connections/connection-body.ts';
import { KIND_NAMES } from '../../engine/connection/contract/kind.ts';
import { type Fields, fieldErrors, MAX_NAME_LENGTH, toFields } from '../../errors/fields.ts';
import { type AccessBody, AccessSchema } from '../../identity/grants/grant-body.ts';
import { printConnectionTarget } from '../../identity/grants/print-grant.ts';
import { present } from '../../invariants/must.ts';
import { isRecord } from '../../invariants/narrow.ts';
import { type ConnectionUseBody, ConnectionUseSchema } from '../../query-log/query-body.ts';
import type { Instance } from '../../workspace/instance/instance.ts';
import { printETag } from '../catalog/item-headers.ts';
import { IfMatchHeaders } from '../catalog/schemas.ts';
import { createLazy, defineFields, type Field } from '../fields/define-fields.ts';
import { choice, queryCount, text } from '../fields/kinds.ts';
import { listFailures, NoBodySchema } from '../http/error-schema.ts';
import { inBody, linksTo } from '../http/operation.ts';
import { withHeaders } from '../http/response-headers.ts';
import type { App } from '../http/typed-app.ts';
import { printLocation } from './location.ts';

const ListedSchema = Type.Object(
  { ...ConnectionSchema.properties, ...Type.Partial(ConnectionUseSchema).properties },
  { title: 'ListedConnection' },
);
const ListSchema = Type.Object(
  {
    data: Type.Immutable(Type.Array(ListedSchema)),
    total: Type.Integer({ description: 'Number of connections on all pages' }),
  },
  { title: 'ConnectionList' },
);
export type ConnectionListResponse = Static<typeof ListSchema>;
export type ConnectionResponse = Static<typeof ConnectionSchema>;
export type ListedConnectionResponse = Static<typeof ListedSchema>;
export type ConnectionTestResponse = ConnectionTestBody;

const UsersSchema = Type.Object(
  { ...Type.Pick(AccessSchema, ['data', 'total']).properties, ...ConnectionUseSchema.properties },
  { title: 'ConnectionUserList' },
);
export type ConnectionUsersResponse = Pick<AccessBody, 'data' | 'total'> & ConnectionUseBody;

const KindListSchema = Type.Object(
  { data: Type.Immutable(Type.Array(ConnectionKindSchema)) },
  { title: 'ConnectionKindList' },
);
export type ConnectionKindsResponse = Static<typeof KindListSchema>;

/** A field whose other types are refused; null counts as absent. */
function createField<T, Schema extends TSchema>(
  label: string,
  schema: Schema,
  [is, reason]: readonly [is: (value: unknown) => value is T, reason: string],
): Field<T | undefined, Schema> {
  return {
    schema,
    read(fields, key) {
      const value = fields[key] ?? undefined;
      if (value === undefined || is(value)) return value;
      throw fieldErrors.invalid(label, reason);
    },
  };
}

const isText = (value: unknown) => typeof value === 'string';
const TEXT = [isText, 'must be a string'] as const;
const RECORD = [isRecord, 'must be an object'] as const;
const LIST = [(value: unknown) => Array.isArray(value), 'must be a list'] as const;

/** Texts by name, each read when it is used; `label` and `entry` are in messages. */
function texts(
  label: string,
  entry: string,
  options: TSchemaOptions = {},
): Field<Readonly<Record<string, string>> | undefined, TOptional<TUnsafe<Record<string, string>>>> {
  const record = Type.Record(Type.String(), Type.String(), options);
  const { schema, read } = createField(
    label,
    Type.Optional(Type.Unsafe<Record<string, string>>(record)),
    RECORD,
  );
  return {
    schema,
    read(fields, key) {
      const record = read(fields, key);
      const readText = (name: string, value: unknown) => {
        if (isText(value)) return value;
        throw fieldErrors.invalid(`${entry} ${name}`, 'must be a string');
      };
      return (
        record &&
        createLazy(
          Object.entries(record).map(([name, value]) => [name, () => readText(name, value)] as const),
        )
      );
    },
  };
}

/** The connections know the bounds, so they refuse what is not a number, too. */
const count: Field<number | undefined, TOptional<typeof MaybeCount>> = {
  schema: Type.Optional(MaybeCount),
  read(fields, key) {
    const value = fields[key] ?? undefined;
    return value === undefined || typeof value === 'number' ? value : Number.NaN;
  },
};

const kinds = Type.Unsafe<string>({ type: 'string', enum: [...KIND_NAMES], examples: ['postgresql'] });
const overrides = createField('Allowed overrides', Type.Optional(Type.Array(Type.String())), LIST);
const settings = {
  kind: createField('Kind', kinds, TEXT),
  options: texts('Options', 'Option'),
  secrets: texts('Secrets', 'Secret', {
    description: 'Secrets by name. They are stored encrypted and never returned',
  }),
  allowed_overrides: {
    ...overrides,
    read: (fields: Fields, key: string) =>
      overrides.read(fields, key)?.map((name) => (isText(name) ? name : JSON.stringify(name))),
  },
  timeout_ms: count,
  max_sessions: count,
  description: createField('Description', Type.Optional(Type.String()), TEXT),
};
const NewName = Type.String({
  description: 'Name without `/`, and without white space at the start or end',
  minLength: 1,
  maxLength: MAX_NAME_LENGTH,
  pattern: '^(?!\\.{1,2}$)(?!\\s)[^/\\u0000-\\u001f\\u007f-\\u009f]+(?<!\\s)$',
});
/**
 * The fields of a new connection, which tests read as well.
 *
 * @internal
 */
export const newConnection = defineFields(
  { name: createField('Connection name', NewName, TEXT), ...settings },
  { title: 'NewConnection' },
);
export type NewConnectionBody = Static<typeof newConnection.schema>;
const connectionChange = defineFields(settings, { title: 'ConnectionSettings' });
const NameParams = Type.Object({ name: Type.String() });

/** A field of a change: absent, a value, or null for the default. */
function nullable<T, Schema extends TSchema>({
  schema,
  read,
}: Field<T | undefined, Schema>): Field<T | null | undefined, TOptional<TUnsafe<Static<Schema> | null>>> {
  return {
    schema: Type.Optional(Type.Unsafe<Static<Schema> | null>({ anyOf: [schema, { type: 'null' }] })),
    read: (fields, key) => (fields[key] === null ? null : read(fields, key)),
  };
}

/** Texts by name, or null for one to remove. */
function changedTexts(
  label: string,
  entry: string,
  options: TSchemaOptions = {},
): Field<
  Readonly<Record<string, string | null>> | undefined,
  TOptional<TUnsafe<Record<string, string | null>>>
> {
  const record = Type.Record(Type.String(), MaybeText, options);
  const { schema, read } = createField(
    label,
    Type.Optional(Type.Unsafe<Record<string, string | null>>(record)),
    RECORD,
  );
  return {
    schema,
    read(fields, key) {
      const entries = Object.entries(read(fields, key) ?? {}).map(([name, value]) => {
        if (value === null || isText(value)) return [name, value] as const;
        throw fieldErrors.invalid(`${entry} ${name}`, 'must be a string or null');
      });
      return Object.fromEntries(entries);
    },
  };
}

const connectionPatch = defineFields(
  {
    options: changedTexts('Options', 'Option', { description: 'Options to change; null removes one' }),
    secrets: changedTexts('Secrets', 'Secret', { description: 'New secrets by name; null removes one' }),
    allowed_overrides: nullable(settings.allowed_overrides),
    timeout_ms: nullable(settings.timeout_ms),
    max_sessions: nullable(settings.max_sessions),
    description: nullable(settings.description),
  },
  { title: 'ConnectionChange' },
);
export type ConnectionChangeBody = Static<typeof connectionPatch.schema>;

const connectionQuery = defineFields({
  q: text('Q', Type.String({ description: 'Part of the name, ignoring case' })),
  kind: choice('Kind', KIND_NAMES, 'Only connections of this kind'),
  use: choice('Use', ['last'], 'With `last`, the last use of the connections that the caller manages'),
  limit: queryCount('Limit', { minimum: 1, maximum: 1000, description: 'Defaults to all' }),
  after: text('After', Type.String({ description: 'Name; returns only connections after it' })),
});
const userQuery = defineFields({
  q: text('Q', Type.String({ description: 'Part of the user name, e-mail address or display name' })),
  limit: queryCount('Limit', { minimum: 1, maximum: 1000, description: 'Defaults to 100' }),
  after: text('After', Type.String({ description: 'User name; returns only users after it' })),
});

/** The connections (docs/reference/connections.md), below `/manage/connections`. */
export function addConnections(app: App, instance: Instance): void {
  addListConnections(app, instance);
  addCreateConnection(app, instance);
  addTestConnection(app, instance);
  addOneConnection(app, instance);
  addChangeConnection(app, instance);
  addConnectionUsers(app, instance);
}

function addListConnections(app: App, { connections, queries }: Instance): void {
  const list = {
    tags: ['connections'],
    summary: 'List connections',
    operationId: 'listConnections',
    scope: 'read',
    description: 'Lists the connections that the caller may use, by name. Secrets are not returned.',
    querystring: connectionQuery.schema,
    response: { 200: ListSchema, ...listFailures(400) },
  };
  app.get('/manage/connections', { schema: list }, ({ principal, query }) => {
    const { use, ...search } = connectionQuery.read(query);
    const { data, total } = connections.search(principal, search);
    if (use === undefined) return { data, total };
    const levels = connections.listLevels(principal);
    const managed = data.filter(({ name }) => levels.get(name) === 'MANAGE').map(({ name }) => name);
    const uses = queries.listUses(managed);
    return { data: data.map((one) => ({ ...one, ...uses.get(one.name) })), total };
  });
  const kinds = {
    tags: ['connections'],
    summary: 'List connection kinds',
    operationId: 'listConnectionKinds',
    scope: 'read',
    description: 'Lists the supported kinds of connections, with the options of each kind.',
    response: { 200: KindListSchema },
  };
  app.get('/manage/connection-kinds', { schema: kinds }, () => ({ data: connections.listKinds() }));
}

function addCreateConnection(app: App, { connections }: Instance): void {
  const schema = {
    tags: ['connections'],
    summary: 'Create a connection',
    operationId: 'createConnection',
    scope: 'all',
    description: 'Creates a connection. Its secrets are stored encrypted and never returned.',
    example: {
      body: {
        name: 'warehouse',
        kind: 'postgresql',
        options: { host: 'db.example.org', user: 'quern', database: 'shop' },
        secrets: { password: 'correct horse' },
      },
    },
    links: { 201: linksTo(inBody('name'), 'getConnection', 'putConnection', 'deleteConnection') },
    body: newConnection.schema,
    response: {
      201: withHeaders(ConnectionSchema, 'location'),
      ...listFailures(400, 403, 409, 413, 415, 422),
    },
  };
  app.post('/manage/connections', { schema }, async (request, reply) => {
    const connection = connections.create(request.principal, newConnection.readOnUse(request.body));
    return reply.code(201).header('location', printLocation('connections', connection.name)).send(connection);
  });
}

function addTestConnection(app: App, { connections, executions }: Instance): void {
  if (executions === null) return;
  const schema = {
    tags: ['connections'],
    summary: 'Test a connection',
    operationId: 'testConnection',
    scope: 'all',
    description:
      'Looks up the server, connects, signs in, and asks for the version, within 15 seconds. The settings are not stored. A stored connection of this name, which the caller manages, lends the secrets that are left out, unless the kind or any option but `database`, `schema` and `connect_timeout` differs.',
    example: {
      body: {
        name: 'warehouse',
        kind: 'postgresql',
        options: { host: 'db.example.org', user: 'quern', database: 'archive' },
      },
    },
    body: newConnection.schema,
    response: { 200: ConnectionTestSchema, ...listFailures(400, 403, 413, 415, 422, 429, 503) },
  };
  app.post('/manage/connections/test', { schema }, async (request) => {
    const { principal, body, signal } = request;
    const fields = newConnection.readOnUse(body);
    const connection = connections.prepareTest(principal, fields);
    return executions.test(principal, connection, signal);
  });
}

function addOneConnection(app: App, { connections }: Instance): void {
  const shared = { tags: ['connections'], params: NameParams };
  const get = {
    ...shared,
    summary: 'Retrieve a connection',
    operationId: 'getConnection',
    scope: 'read',
    description: 'Retrieves a connection. Secrets are not returned.',
    example: { parameters: { name: 'warehouse' } },
    response: { 200: withHeaders(ConnectionSchema, 'etag'), ...listFailures(403, 404) },
  };
  app.get('/manage/connections/:name', { schema: get }, async (request, reply) => {
    const connection = connections.get(request.principal, request.params.name);
    return reply.header('etag', printETag(connection.revision)).send(connection);
  });
  const put = {
    ...shared,
    params: Type.Object({ name: NewName }),
    summary: 'Replace or create a connection',
    operationId: 'putConnection',
    scope: 'all',
    description: 'Replaces a connection with all of its secrets, or creates it.',
    example: {
      parameters: { name: 'warehouse' },
      body: {
        kind: 'postgresql',
        options: { host: 'db.example.org', user: 'quern', database: 'shop' },
        secrets: { password: 'battery staple' },
      },
    },
    body: connectionChange.schema,
    response: {
      200: ConnectionSchema,
      201: withHeaders(ConnectionSchema, 'location'),
      ...listFailures(400, 403, 413, 415, 422),
    },
  };
  app.put('/manage/connections/:name', { schema: put }, (request, reply) => {
    const { name } = request.params;
    const fields = newConnection.readOnUse({ ...toFields(request.body), name });
    const connection = connections.replace(request.principal, fields);
    if (connection.revision === 1) reply.code(201).header('location', printLocation('connections', name));
    return connection;
  });
  const remove = {
    ...shared,
    summary: 'Delete a connection',
    operationId: 'deleteConnection',
    scope: 'all',
    description: 'Deletes a connection. Its database is not changed.',
    example: { parameters: { name: 'warehouse' } },
    response: { 204: NoBodySchema, ...listFailures(403, 404, 422) },
  };
  app.delete('/manage/connections/:name', { schema: remove }, async (request, reply) => {
    connections.delete(request.principal, request.params.name);
    return reply.code(204).send(undefined);
  });
}

function addChangeConnection(app: App, { connections }: Instance): void {
  const schema = {
    tags: ['connections'],
    params: NameParams,
    summary: 'Change a connection',
    operationId: 'changeConnection',
    scope: 'all',
    description:
      'Changes the settings of the body; the others stay. Stored secrets stay with their account: they must be sent again if any option but `database`, `schema` and `connect_timeout` changes. `If-Match` must name the current ETag.',
    example: {
      parameters: { name: 'warehouse', 'if-match': '*' },
      body: { options: { database: 'archive' }, secrets: { password: 'battery staple' } },
    },
    headers: IfMatchHeaders,
    body: connectionPatch.schema,
    response: {
      200: withHeaders(ConnectionSchema, 'etag'),
      ...listFailures(400, 403, 404, 412, 413, 415, 422, 428),
    },
  };
  app.patch('/manage/connections/:name', { schema }, async (request, reply) => {
    const { principal, params, headers, body } = request;
    const changes = connectionPatch.readChange(body);
    const connection = connections.change(principal, params.name, headers['if-match'], changes);
    return reply.header('etag', printETag(connection.revision)).send(connection);
  });
}

function addConnectionUsers(app: App, { accounts, queries }: Instance): void {
  const schema = {
    tags: ['connections'],
    params: NameParams,
    summary: 'List who may use a connection',
    operationId: 'listConnectionUsers',
    scope: 'read',
    description:
      'Lists the active users with a level on a connection, and the reasons; and when it was last used, and last failed. For those who manage the connection.',
    example: { parameters: { name: 'warehouse' } },
    querystring: userQuery.schema,
    response: { 200: UsersSchema, ...listFailures(400, 403, 404) },
  };
  app.get('/manage/connections/:name/users', { schema }, async ({ principal, params: { name }, query }) => {
    const target = printConnectionTarget(name);
    const { data, total } = await accounts.grants.listAccess(principal, target, userQuery.read(query));
    return { data, total, ...present(queries.listUses([name]).get(name)) };
  });
}
