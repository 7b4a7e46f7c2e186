import { STATUS_CODES } from 'node:http';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { listFailures } from '../http/error-schema.ts';
import { refuseOtherMethods } from '../http/refuse-other-methods.ts';
import type { App } from '../http/typed-app.ts';
import { MEDIA_TYPES } from '../scim/media-type.ts';
import { SCIM_PREFIX } from '../scim/prefix.ts';
import { listScimFailures } from '../scim/schemas.ts';
import { allowNulls } from './allow-nulls.ts';
import { describeOperations, keepDescription } from './describe-operations.ts';

const TAGS = [
  { name: 'catalog', description: 'Folders and scripts' },
  { name: 'executions', description: 'Run scripts, blocks and SQL' },
  { name: 'semantic layer', description: 'Semantic models, and SQL generated from semantic queries' },
  { name: 'connections', description: 'The databases that scripts run on' },
  { name: 'tokens', description: 'Personal access tokens' },
  { name: 'grants', description: 'Permissions on content and connections' },
  { name: 'users', description: 'User accounts; for administrators' },
  { name: 'groups', description: 'Groups of users; for administrators' },
  { name: 'provisioning', description: 'SCIM 2.0 for identity providers; for administrators' },
  { name: 'single sign-on', description: 'SAML 2.0 settings; for administrators' },
  { name: 'audit', description: 'Audit log and query log; for administrators' },
  { name: 'operations', description: 'Health and metrics of the server' },
];

/** The server that serves the document, when no base URL is set. */
const OWN_SERVER = { url: '/', description: 'This server' };
/** The address in example commands when no base URL is set: the default address. */
const LOCAL_URL = 'http://127.0.0.1:8080';

/** The error statuses that every route below `/api/v1` can return. */
const COMMON_FAILURES = [401, 406, 429, 500, 503];

/** No content from other sites, and only scripts of this server; the page has inline styles. */
const PAGE_POLICY =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** Serves the OpenAPI 3.1 document, built from the routes' schemas, at `/openapi.json`, and a page to browse it. */
export async function addOpenApi(app: App, version: string): Promise<void> {
  const { baseUrl } = app.settings;
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Quern', version, description: 'Keep, run, test and query your SQL.' },
      servers: [baseUrl === undefined ? OWN_SERVER : { url: baseUrl }],
      tags: TAGS,
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
      security: [{ token: [] }],
    },
    transform: ({ schema, url }) => ({
      schema: addFailures(describeBody(renameWildcard(keepDescription(schema))), url),
      url: url.replace('*', ':path'),
    }),
    transformObject: (document) => {
      const named = nameParts('openapiObject' in document ? document.openapiObject : {});
      describeOperations(named, baseUrl ?? LOCAL_URL);
      return named;
    },
  });
  app.register(async (scope: App) => {
    const refuseOthers = refuseOtherMethods(scope);
    await scope.register(swaggerUi, {
      routePrefix: '/api/docs',
      staticCSP: PAGE_POLICY,
      theme: { title: 'Quern' },
      uiConfig: { layout: 'BaseLayout', validatorUrl: null },
    });
    scope.get('/openapi.json', { schema: { hide: true } }, () => app.swagger());
    refuseOthers();
  });
}

/** Fastify's `*` is called `path` in the document. */
function renameWildcard<Schema>(schema: Schema): Schema {
  const { params } = schema as { params?: { properties?: Record<string, unknown> } };
  const wildcard = params?.properties?.['*'];
  if (wildcard === undefined) return schema;
  return { ...schema, params: { ...params, properties: { path: wildcard }, required: ['path'] } };
}

function describeBody<Schema>(schema: Schema): Schema {
  const { body } = schema as { body?: Parameters<typeof allowNulls>[0] };
  return body === undefined ? schema : { ...schema, body: allowNulls(body) };
}

function addFailures<Schema>(schema: Schema, url: string): Schema {
  if (!url.startsWith('/api/v1/')) return schema;
  const { response } = schema as { response?: object };
  const list = url.startsWith(`${SCIM_PREFIX}/`) ? listScimFailures : listFailures;
  return { ...schema, response: { ...response, ...list(...COMMON_FAILURES) } };
}

/**
 * Moves each schema that has a title, and each error response, into `components`, replaces them with references, and
 * describes each status by its HTTP name.
 */
function nameParts(document: object): object {
  const schemas: Record<string, unknown> = {};
  const responses: Record<string, unknown> = {};
  const visit = (value: unknown, key: string): unknown => {
    if (Array.isArray(value)) return value.map((each) => visit(each, ''));
    if (typeof value !== 'object' || value === null) return value;
    const copy = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, visit(each, name)]));
    if (key in STATUS_CODES && 'description' in copy) {
      copy.description = STATUS_CODES[key];
      if (Number(key) < 400) return copy;
      const name = nameFailure(key, copy.content as object);
      responses[name] = copy;
      return { $ref: `#/components/responses/${name}` };
    }
    if (typeof copy.title !== 'string' || !('type' in copy || 'anyOf' in copy)) return copy;
    schemas[copy.title] = copy;
    return { $ref: `#/components/schemas/${copy.title}` };
  };
  const { components, ...members } = visit(document, '') as { components: object };
  const sorted = Object.fromEntries(Object.entries(schemas).sort(([one], [other]) => (one < other ? -1 : 1)));
  return { ...members, components: { ...components, schemas: sorted, responses } };
}

/** SCIM errors have their own schema. */
function nameFailure(status: string, content: object): string {
  return MEDIA_TYPES[0] in content ? `scim-${status}` : status;
}
