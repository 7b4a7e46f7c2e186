import type { FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import { type TSchema, Type } from 'typebox';
import type {
  ScimAnswer,
  ScimApi,
  ScimChange,
  ScimResources,
} from '../../identity/scim/protocol/scim-api.ts';
import { NoBodySchema } from '../http/error-schema.ts';
import { namesEntityTag } from '../http/names-entity-tag.ts';
import { withHeaders } from '../http/response-headers.ts';
import type { App } from '../http/typed-app.ts';
import { BODY_LIMIT, describeRoute } from './describe-route.ts';
import { getId, IdParams } from './id-param.ts';
import { type Kind, SCIM_KINDS, type ScimOperation } from './kinds.ts';
import { readProjection, readScimQuery } from './read-scim-query.ts';
import { ProjectionQuery, ScimListQuery, ScimPatchSchema } from './schemas.ts';

/** The provisioning API of a request. */
export type ScimOf = (request: FastifyRequest) => ScimApi;

const MatchHeaders = Type.Object({
  'if-match': Type.Optional(Type.String({ description: 'ETags; one of them must be the current one' })),
});
const NoneMatchHeaders = Type.Object({
  'if-none-match': Type.Optional(Type.String({ description: 'ETags that the client has cached' })),
});

/** The routes below `/Users` and `/Groups` (docs/reference/scim.md#routes). */
export function addResources(app: App, scimOf: ScimOf): void {
  for (const kind of SCIM_KINDS) {
    const resourcesOf = (request: FastifyRequest) => kind.of(scimOf(request));
    addAll(app, kind, resourcesOf);
    addOne(app, kind, resourcesOf);
    addChanges(app, kind, resourcesOf);
  }
}

type ResourcesOf = (request: FastifyRequest) => ScimResources;

function addAll(
  app: App,
  { endpoint, operations, schema, answer, list: page }: Kind,
  resourcesOf: ResourcesOf,
): void {
  const list = describeRoute(operations.list, [400], {
    querystring: ScimListQuery,
    response: { 200: page },
  });
  app.get(endpoint, { schema: list }, (request) => resourcesOf(request).list(readScimQuery(request.query)));
  const create = describeRoute(operations.create, [400, 409, 413, 415], {
    querystring: ProjectionQuery,
    body: schema,
    response: { 201: withHeaders(answer, 'etag', 'location') },
  });
  const options = { schema: create, bodyLimit: BODY_LIMIT };
  app.post(endpoint, options, async (request, reply) => {
    const made = await resourcesOf(request).create(request.body, readProjection(request.query));
    return reply.code(201).header('etag', made.version).header('location', made.location).send(made.resource);
  });
}

function addOne(
  app: App,
  { endpoint, operations, answer: body, deleted }: Kind,
  resourcesOf: ResourcesOf,
): void {
  const get = describeRoute(operations.get, [404], {
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
  const remove = describeRoute(operations.delete, [404, 409, 412], {
    params: IdParams,
    headers: MatchHeaders,
    response: { [deleted.status]: deleted.schema },
  });
  app.delete(`${endpoint}/:id`, { schema: remove }, async (request, reply) => {
    await resourcesOf(request).delete(getId(request), { ifMatch: request.headers['if-match'] });
    return reply.code(deleted.status).send(deleted.body);
  });
}

function addChanges(
  app: App,
  { endpoint, operations, schema: body, answer: answered }: Kind,
  resourcesOf: ResourcesOf,
): void {
  const describe = (operation: ScimOperation, asked: TSchema, more: object): FastifySchema =>
    describeRoute(operation, [400, 404, 409, 412, 413, 415], {
      params: IdParams,
      querystring: ProjectionQuery,
      headers: MatchHeaders,
      body: asked,
      response: { 200: withHeaders(answered, 'etag'), ...more },
    });
  const options = { bodyLimit: BODY_LIMIT };
  const replace = describe(operations.replace, body, {});
  app.put(`${endpoint}/:id`, { ...options, schema: replace }, async (request, reply) =>
    sendResource(reply, await resourcesOf(request).replace(getId(request), request.body, toChange(request))),
  );
  const patch = describe(operations.patch, ScimPatchSchema, { 204: NoBodySchema });
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
