import type { FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import { type TSchema, Type } from 'typebox';
import type { ScimAnswer, ScimApi, ScimChange, ScimResources } from '../../workspace/api/scim-api.ts';
import { refuseReadOnly } from '../auth/refuse-read-only.ts';
import { NoBodySchema } from '../http/error-schema.ts';
import { namesEntityTag } from '../http/names-entity-tag.ts';
import { withHeaders } from '../http/response-headers.ts';
import type { App } from '../http/typed-app.ts';
import { BODY_LIMIT, describeRoute } from './describe-route.ts';
import { getId, IdParams } from './id-param.ts';
import { readProjection, readQuery } from './read-query.ts';
import {
  ProjectionQuery,
  ScimGroupAnswerSchema,
  ScimGroupListSchema,
  ScimGroupSchema,
  ScimListQuery,
  ScimPatchSchema,
  ScimStatusSchema,
  ScimUserAnswerSchema,
  ScimUserListSchema,
  ScimUserSchema,
} from './schemas.ts';

/** The provisioning API of a request. */
export type ScimOf = (request: FastifyRequest) => ScimApi;

/** The differences between the routes of users and of groups. */
interface Kind {
  readonly endpoint: '/Users' | '/Groups';
  readonly one: string;
  readonly many: string;
  /** The schemas of a request, a response and a list. */
  readonly schema: TSchema;
  readonly answer: TSchema;
  readonly list: TSchema;
  readonly of: (api: ScimApi) => ScimResources;
  /** The response of a deletion (docs/reference/scim.md#routes). */
  readonly deleted: { readonly status: number; readonly schema: TSchema; readonly body: object | undefined };
}

const KINDS: readonly Kind[] = [
  {
    endpoint: '/Users',
    one: 'a user',
    many: 'users',
    schema: ScimUserSchema,
    answer: ScimUserAnswerSchema,
    list: ScimUserListSchema,
    of: ({ users }) => users,
    deleted: { status: 200, schema: ScimStatusSchema, body: { status: '200' } },
  },
  {
    endpoint: '/Groups',
    one: 'a group',
    many: 'groups',
    schema: ScimGroupSchema,
    answer: ScimGroupAnswerSchema,
    list: ScimGroupListSchema,
    of: ({ groups }) => groups,
    deleted: { status: 204, schema: NoBodySchema, body: undefined },
  },
];

const MatchHeaders = Type.Object({
  'if-match': Type.Optional(Type.String({ description: 'ETags; one of them must be the current one' })),
});
const NoneMatchHeaders = Type.Object({
  'if-none-match': Type.Optional(Type.String({ description: 'ETags that the client has cached' })),
});

/** The routes below `/Users` and `/Groups` (docs/reference/scim.md#routes). */
export function addResources(app: App, scimOf: ScimOf): void {
  for (const kind of KINDS) {
    const resourcesOf = (request: FastifyRequest) => kind.of(scimOf(request));
    addAll(app, kind, resourcesOf);
    addOne(app, kind, resourcesOf);
    addChanges(app, kind, resourcesOf);
  }
}

type ResourcesOf = (request: FastifyRequest) => ScimResources;

function addAll(
  app: App,
  { endpoint, one, many, schema, answer, list: page }: Kind,
  resourcesOf: ResourcesOf,
): void {
  const list = describeRoute(`List ${many}`, [400], {
    querystring: ScimListQuery,
    response: { 200: page },
  });
  app.get(endpoint, { schema: list }, (request) => resourcesOf(request).list(readQuery(request.query)));
  const create = describeRoute(`Create ${one}`, [400, 409, 413, 415], {
    querystring: ProjectionQuery,
    body: schema,
    response: { 201: withHeaders(answer, 'etag', 'location') },
  });
  const options = { schema: create, bodyLimit: BODY_LIMIT, onRequest: refuseReadOnly };
  app.post(endpoint, options, async (request, reply) => {
    const made = await resourcesOf(request).create(request.body, readProjection(request.query));
    return reply.code(201).header('etag', made.version).header('location', made.location).send(made.resource);
  });
}

function addOne(app: App, { endpoint, one, answer: body, deleted }: Kind, resourcesOf: ResourcesOf): void {
  const get = describeRoute(`Retrieve ${one}`, [404], {
    params: IdParams,
    querystring: ProjectionQuery,
    headers: NoneMatchHeaders,
    response: { 200: withHeaders(body, 'etag'), 304: NoBodySchema },
  });
  app.get(`${endpoint}/:id`, { schema: get }, async (request, reply) => {
    const answer = await resourcesOf(request).get(getId(request), readProjection(request.query));
    const isKnown = namesEntityTag(request.headers['if-none-match'], answer.version);
    if (isKnown) return reply.code(304).header('etag', answer.version).send();
    return sendResource(reply, answer);
  });
  const remove = describeRoute(`Delete ${one}`, [404, 409, 412], {
    params: IdParams,
    headers: MatchHeaders,
    response: { [deleted.status]: deleted.schema },
  });
  const options = { schema: remove, onRequest: refuseReadOnly };
  app.delete(`${endpoint}/:id`, options, async (request, reply) => {
    await resourcesOf(request).delete(getId(request), { ifMatch: request.headers['if-match'] });
    return reply.code(deleted.status).send(deleted.body);
  });
}

function addChanges(
  app: App,
  { endpoint, one, schema: body, answer: answered }: Kind,
  resourcesOf: ResourcesOf,
): void {
  const describe = (summary: string, asked: TSchema, more: object): FastifySchema =>
    describeRoute(summary, [400, 404, 409, 412, 413, 415], {
      params: IdParams,
      querystring: ProjectionQuery,
      headers: MatchHeaders,
      body: asked,
      response: { 200: withHeaders(answered, 'etag'), ...more },
    });
  const options = { bodyLimit: BODY_LIMIT, onRequest: refuseReadOnly };
  const replace = describe(`Replace ${one}`, body, {});
  app.put(`${endpoint}/:id`, { ...options, schema: replace }, async (request, reply) =>
    sendResource(reply, await resourcesOf(request).replace(getId(request), request.body, toChange(request))),
  );
  const patch = describe(`Update ${one}`, ScimPatchSchema, { 204: NoBodySchema });
  app.patch(`${endpoint}/:id`, { ...options, schema: patch }, async (request, reply) =>
    sendResource(reply, await resourcesOf(request).patch(getId(request), request.body, toChange(request))),
  );
}

function toChange({ headers, query }: FastifyRequest): ScimChange {
  return { ifMatch: headers['if-match'], projection: readProjection(query) };
}

function sendResource(reply: FastifyReply, { version, resource }: ScimAnswer): FastifyReply {
  reply.header('etag', version);
  return resource === null ? reply.code(204).send() : reply.send(resource);
}
