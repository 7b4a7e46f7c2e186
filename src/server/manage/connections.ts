import { type Static, Type } from 'typebox';
import { MAX_NAME_LENGTH, toFields } from '../../errors/fields.ts';
import { CONNECTION_KINDS } from '../../workspace/api/connection-kinds.ts';
import type { Instance } from '../../workspace/instance/instance.ts';
import { listFailures, NoBodySchema } from '../http/error-schema.ts';
import { inBody, linksTo } from '../http/operation.ts';
import { withHeaders } from '../http/response-headers.ts';
import type { App } from '../http/typed-app.ts';
import { printLocation } from './location.ts';
import { MaybeCount, MaybeText, Timestamp } from './schemas.ts';

const Texts = Type.Immutable(Type.Array(Type.String()));

const ConnectionSchema = Type.Object(
  {
    name: Type.String(),
    kind: Type.String(),
    description: Type.String(),
    options: Type.Record(Type.String(), Type.String()),
    secrets: Type.Immutable(Type.Array(Type.String(), { description: 'Names of its secrets' })),
    allowed_overrides: Texts,
    timeout_ms: MaybeCount,
    max_sessions: MaybeCount,
    revision: Type.Integer(),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Connection' },
);

const ListSchema = Type.Object(
  { data: Type.Immutable(Type.Array(ConnectionSchema)) },
  { title: 'ConnectionList' },
);
export type ConnectionListResponse = Static<typeof ListSchema>;

const KindSchema = Type.Object(
  {
    kind: Type.String(),
    title: Type.String(),
    options: Type.Immutable(
      Type.Array(
        Type.Object({
          name: Type.String(),
          description: Type.String(),
          required: Type.Boolean(),
          secret: Type.Boolean(),
          default: MaybeText,
        }),
      ),
    ),
    overrides: Texts,
    max_sessions: MaybeCount,
  },
  { title: 'ConnectionKind' },
);

const KindListSchema = Type.Object(
  { data: Type.Immutable(Type.Array(KindSchema)) },
  { title: 'ConnectionKindList' },
);

const settings = {
  kind: Type.Unsafe<string>({ type: 'string', enum: CONNECTION_KINDS, examples: ['postgresql'] }),
  options: Type.Optional(Type.Record(Type.String(), Type.String())),
  secrets: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description: 'Secrets by name. They are stored encrypted and never returned',
    }),
  ),
  allowed_overrides: Type.Optional(Type.Array(Type.String())),
  timeout_ms: Type.Optional(MaybeCount),
  max_sessions: Type.Optional(MaybeCount),
  description: Type.Optional(Type.String()),
};
const NewName = Type.String({
  description: 'Name without `/`, and without white space at the start or end',
  minLength: 1,
  maxLength: MAX_NAME_LENGTH,
  pattern: '^(?!\\.{1,2}$)(?!\\s)[^/\\u0000-\\u001f\\u007f-\\u009f]+(?<!\\s)$',
});
const NewConnectionSchema = Type.Object({ name: NewName, ...settings }, { title: 'NewConnection' });
const ConnectionChangeSchema = Type.Object(settings, { title: 'ConnectionSettings' });
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
    body: NewConnectionSchema,
    response: {
      201: withHeaders(ConnectionSchema, 'location'),
      ...listFailures(400, 403, 409, 413, 415, 422),
    },
  };
  app.post('/manage/connections', { schema }, async (request, reply) => {
    const connection = connections.create(request.principal, toFields(request.body));
    return reply.code(201).header('location', printLocation('connections', connection.name)).send(connection);
  });
}

function addOneConnection(app: App, { connections }: Instance): void {
  const shared = { tags: ['connections'], params: NameParams };
  const get = {
    ...shared,
    summary: 'Retrieve a connection',
    operationId: 'getConnection',
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
    description: 'Replaces a connection with all of its secrets, or creates it.',
    example: {
      parameters: { name: 'warehouse' },
      body: {
        kind: 'postgresql',
        options: { host: 'db.example.org', user: 'quern', database: 'shop' },
        secrets: { password: 'battery staple' },
      },
    },
    body: ConnectionChangeSchema,
    response: {
      200: ConnectionSchema,
      201: withHeaders(ConnectionSchema, 'location'),
      ...listFailures(400, 403, 413, 415, 422),
    },
  };
  app.put('/manage/connections/:name', { schema: put }, (request, reply) => {
    const { name } = request.params;
    const connection = connections.replace(request.principal, { ...toFields(request.body), name });
    if (connection.revision === 1) reply.code(201).header('location', printLocation('connections', name));
    return connection;
  });
  const remove = {
    ...shared,
    summary: 'Delete a connection',
    operationId: 'deleteConnection',
    description: 'Deletes a connection. Its database is not changed.',
    example: { parameters: { name: 'warehouse' } },
    response: { 204: NoBodySchema, ...listFailures(403, 404, 422) },
  };
  app.delete('/manage/connections/:name', { schema: remove }, async (request, reply) => {
    connections.delete(request.principal, request.params.name);
    return reply.code(204).send(undefined);
  });
}
