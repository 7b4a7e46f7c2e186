import { STATUS_CODES } from 'node:http';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifySchema } from 'fastify';
import { listFailures } from '../http/error-schema.ts';
import type { Example } from '../http/operation.ts';
import { refuseOtherMethods } from '../http/refuse-other-methods.ts';
import type { App } from '../http/typed-app.ts';
import { SCIM_PREFIX } from '../scim/prefix.ts';
import { listScimFailures } from '../scim/schemas.ts';
import { allowNulls } from './allow-nulls.ts';

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

/** The name of an error response: its status, after the kind of an error with a separate schema, such as `ScimError`. */
function nameFailure(status: string, content: object): string {
  const [, kind = ''] = /\/(\w*)Error"/.exec(JSON.stringify(content)) ?? [];
  return kind === '' ? status : `${kind.toLowerCase()}-${status}`;
}

/** The parts of a route's schema that are not in the document as they are, under a key that `@fastify/swagger` copies. */
const KEY = 'x-operation';
type Described = Pick<FastifySchema, 'example' | 'hasOptionalBody' | 'links' | 'scope'>;

interface Parameter {
  readonly name: string;
  readonly in: string;
  example?: unknown;
}

interface Content {
  example?: unknown;
  schema?: object;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Record<string, Content>; required?: boolean };
  readonly responses: Record<string, { $ref?: string; links?: unknown }>;
  'x-codeSamples'?: readonly unknown[];
  'x-scope'?: string;
  [KEY]?: Described;
}

/** The part of a document that is described here. */
interface Document {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** Keeps what a route's schema says about its operation for `describeOperations`. */
function keepDescription<Schema extends FastifySchema>({
  example,
  hasOptionalBody,
  links,
  scope,
  ...schema
}: Schema) {
  return { ...schema, [KEY]: { example, hasOptionalBody, links, scope } satisfies Described };
}

/** Gives each operation of a document its example and its links. */
function describeOperations(document: object, base: string): void {
  for (const [path, operations] of Object.entries((document as Document).paths ?? {})) {
    for (const [method, operation] of Object.entries(operations)) {
      const { [KEY]: described = {} } = operation;
      delete operation[KEY];
      describe(operation, described, `${base}${path}`, method.toUpperCase());
    }
  }
}

function describe(operation: Operation, described: Described, url: string, method: string): void {
  const { example = {}, hasOptionalBody, links = {}, scope } = described;
  if (scope !== undefined) operation['x-scope'] = scope;
  const { parameters = {}, body } = example;
  for (const parameter of operation.parameters ?? []) {
    if (parameter.name in parameters) parameter.example = parameters[parameter.name];
  }
  for (const content of Object.values(operation.requestBody?.content ?? {})) {
    content.example = body;
    if (hasOptionalBody === true) content.schema = { anyOf: [content.schema, { type: 'null' }] };
  }
  if (operation.requestBody !== undefined) operation.requestBody.required = hasOptionalBody !== true;
  operation['x-codeSamples'] = [
    { lang: 'Shell', label: 'curl', source: printCommand(operation, example, url, method) },
  ];
  for (const [status, responseLinks] of Object.entries(links)) {
    const response = operation.responses[status];
    if (response !== undefined && response.$ref === undefined) response.links = responseLinks;
  }
}

/** The example as a command, whose token is in the variable `TOKEN`. */
function printCommand(
  operation: Operation,
  { parameters = {}, body }: Example,
  url: string,
  method: string,
): string {
  const named = (operation.parameters ?? []).filter(({ name }) => name in parameters);
  const target = named
    .filter((parameter) => parameter.in === 'path')
    .reduce((text, { name }) => text.replace(`{${name}}`, encodeURIComponent(String(parameters[name]))), url);
  const query = new URLSearchParams(
    named
      .filter((parameter) => parameter.in === 'query')
      .map(({ name }): [string, string] => [name, String(parameters[name])]),
  );
  const headers = named
    .filter((parameter) => parameter.in === 'header')
    .map(({ name }) => ` -H ${quote(`${name}: ${parameters[name]}`)}`);
  const [type] = Object.keys(operation.requestBody?.content ?? {});
  const content =
    type === undefined ? '' : ` -H ${quote(`Content-Type: ${type}`)} -d ${quote(JSON.stringify(body))}`;
  const search = query.size === 0 ? '' : `?${query}`;
  return `curl -X ${method} -H "Authorization: Bearer $TOKEN"${headers.join('')}${content} ${quote(`${target}${search}`)}`;
}

/** A text as one word of a shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
