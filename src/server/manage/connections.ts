import { type Static, type TSchema, type TSchemaOptions, Type } from 'typebox';
import { MaybeCount } from '../../bodies/field-schemas.ts';
import { ConnectionKindSchema, ConnectionSchema } from '../../connections/connection-body.ts';
import { KIND_NAMES } from '../../engine/connection/contract/kind.ts';
import { type Fields, fieldErrors, MAX_NAME_LENGTH, toFields } from '../../errors/fields.ts';
import { isRecord } from '../../invariants/narrow.ts';
import type { Instance } from '../../workspace/instance/instance.ts';
import { createLazy, defineFields, type Field } from '../fields/define-fields.ts';
import { listFailures, NoBodySchema } from '../http/error-schema.ts';
import { inBody, linksTo } from '../http/operation.ts';
import { withHeaders } from '../http/response-headers.ts';
import type { App } from '../http/typed-app.ts';
import { printLocation } from './location.ts';

const ListSchema = Type.Object(
  { data: Type.Immutable(Type.Array(ConnectionSchema)) },
  { title: 'ConnectionList' },
);
export type ConnectionListResponse = Static<typeof ListSchema>;

const KindListSchema = Type.Object(
  { data: Type.Immutable(Type.Array(ConnectionKindSchema)) },
  { title: 'ConnectionKindList' },
);

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
): Field<Readonly<Record<string, string>> | undefined> {
  const { schema, read } = createField(
    label,
    Type.Optional(Type.Record(Type.String(), Type.String(), options)),
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
const count: Field<number | undefined> = {
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
const connectionChange = defineFields(settings, { title: 'ConnectionSettings' });
const NameParams = Type.Object({ name: Type.String() });

/** The connections (docs/reference/connections.md), below `/manage/connections`. */
export function addConnections(app: App, instance: Instance): void {
  addListConnections(app, instance);
  addCreateConnection(app, instance);
  addOneConnection(app, instance);
}

function addListConnections(app: App, { connections }: Instance): void {
  const list = {
    tags: ['connections'],
    summary: 'List connections',
    operationId: 'listConnections',
    scope: 'read',
    description: 'Lists the connections that the caller may use. Secrets are not returned.',
    response: { 200: ListSchema },
  };
  app.get('/manage/connections', { schema: list }, (request) => ({
    data: connections.list(request.principal),
  }));
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

function addOneConnection(app: App, { connections }: Instance): void {
  const shared = { tags: ['connections'], params: NameParams };
  const get = {
    ...shared,
    summary: 'Retrieve a connection',
    operationId: 'getConnection',
    scope: 'read',
    description: 'Retrieves a connection. Secrets are not returned.',
    example: { parameters: { name: 'warehouse' } },
    response: { 200: ConnectionSchema, ...listFailures(403, 404) },
  };
  app.get('/manage/connections/:name', { schema: get }, (request) =>
    connections.get(request.principal, request.params.name),
  );
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
