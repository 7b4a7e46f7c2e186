import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createWorld } from '../world.ts';

/** The base path of provisioning. */
const SCIM = '/api/v1/scim/v2';
/** The operations whose errors can have targets, and the statuses of these errors. */
const RUNS = /^\/api\/v1\/exec\/|\/result$/;
const RUN_FAILURES = ['403', '409', '422', '502', '504'];

/** The name of an error response of an operation. */
function nameFailure(route: string, status: string): string {
  if (route.startsWith(SCIM)) return `scim-${status}`;
  return RUNS.test(route) && RUN_FAILURES.includes(status) ? `run-${status}` : status;
}

const file = path.resolve(import.meta.dirname, '../../../docs/openapi.json');

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

interface Operation {
  readonly operationId: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly { name: string; in: string; required?: boolean; schema: Schema }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { schema: Schema }>>;
    required?: boolean;
  };
  readonly responses: Readonly<Record<string, Response>>;
}

interface Response {
  readonly $ref?: string;
  readonly description?: string;
  readonly headers?: Readonly<Record<string, { schema: Schema }>>;
  readonly content?: Readonly<Record<string, { schema: Schema }>>;
  readonly links?: Readonly<Record<string, Link>>;
}

interface Link {
  readonly operationId: string;
  readonly parameters: Readonly<Record<string, string>>;
}

interface Document {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly servers?: readonly { readonly url: string }[];
  readonly security: readonly unknown[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly securitySchemes: Readonly<Record<string, unknown>>;
  };
}

const document: Document = JSON.parse(readFileSync(file, 'utf8'));
const operations = Object.entries(document.paths).flatMap(([route, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    name: `${method} ${route}`,
    method,
    route,
    ...operation,
  })),
);

/** All objects in a value, including the value. */
function* walk(value: unknown): Generator<Readonly<Record<string, unknown>>> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Readonly<Record<string, unknown>>;
  for (const each of Object.values(value)) yield* walk(each);
}

describe('the OpenAPI document', () => {
  it('equals the file in the documentation (`vitest -u` writes it again)', async () => {
    const { ask } = await createWorld({}, { log: () => undefined });
    const { status, body } = await ask('GET', '/openapi.json', { token: null });
    expect(status).toBe(200);
    const served = body as Document;
    expect(served.info.version).toBe('1.2.3');
    const kept = { ...served, info: { ...served.info, version: '0' } };
    await expect(`${JSON.stringify(kept, null, 2)}\n`).toMatchFileSnapshot(file);
  });

  it('names the address of the instance', async () => {
    const { ask } = await createWorld({ baseUrl: 'https://quern.example.org' }, { log: () => undefined });
    const { body } = await ask('GET', '/openapi.json');
    expect((body as Document).servers).toEqual([{ url: 'https://quern.example.org' }]);
  });

  it('is of version 3.1, and all its references exist', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d$/);
    expect(document.security).toEqual([{ token: [] }]);
    expect(document.components.securitySchemes).toEqual({ token: { type: 'http', scheme: 'bearer' } });
    const { schemas, responses } = document.components;
    const known = Object.entries({ schemas, responses }).flatMap(([kind, parts]) =>
      Object.keys(parts).map((name) => `#/components/${kind}/${name}`),
    );
    for (const [name, { content }] of Object.entries(responses)) {
      const [type, schema] = name.startsWith('scim-')
        ? ['application/scim+json', 'ScimError']
        : ['application/json', name.startsWith('run-') ? 'RunError' : 'Error'];
      expect(content).toEqual({ [type]: { schema: { $ref: `#/components/schemas/${schema}` } } });
    }
    const references = [...walk(document)].flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : []));
    expect(references.filter((reference) => !known.includes(reference))).toEqual([]);
    expect(known.filter((reference) => !references.includes(reference))).toEqual([]);
  });

  it('has only schemas of JSON Schema 2020-12', () => {
    const schemas = [...walk(document)].filter((each) => 'properties' in each);
    expect(schemas.length).toBeGreaterThan(20);
    for (const { type, properties, required = [] } of schemas) {
      expect(type).toBe('object');
      const missing = (required as string[]).filter((name) => !(name in (properties as object)));
      expect(missing).toEqual([]);
    }
    const words = new Set([...walk(document)].flatMap((each) => ('nullable' in each ? ['nullable'] : [])));
    expect([...words]).toEqual([]);
  });

  it('describes every operation of the API', () => {
    expect(operations.map(({ name }) => name).sort()).toEqual(
      [
        'get /health/live',
        'get /health/ready',
        'get /metrics',
        'get /api/v1/catalog/list',
        'get /api/v1/catalog/list/{path}',
        'get /api/v1/catalog/by-path/{path}',
        'post /api/v1/catalog/folders',
        'post /api/v1/catalog/assets',
        'put /api/v1/catalog/folders/{path}',
        'put /api/v1/catalog/assets/{path}',
        'delete /api/v1/catalog/folders/{path}',
        'delete /api/v1/catalog/assets/{path}',
        'get /api/v1/me',
        'get /api/v1/manage/users',
        'post /api/v1/manage/users',
        'get /api/v1/manage/users/{user_name}',
        'put /api/v1/manage/sso/saml',
        'put /api/v1/manage/users/{user_name}',
        'delete /api/v1/manage/sso/saml',
        'delete /api/v1/manage/users/{user_name}',
        'get /api/v1/manage/users/{user_name}/sessions',
        'delete /api/v1/manage/users/{user_name}/sessions',
        'delete /api/v1/manage/users/{user_name}/sessions/{session_id}',
        'post /api/v1/manage/users/changes',
        'post /api/v1/manage/users/{user_name}/stop',
        'get /api/v1/manage/invitations',
        'post /api/v1/manage/invitations',
        'delete /api/v1/manage/invitations/{id}',
        'get /api/v1/manage/groups',
        'post /api/v1/manage/groups',
        'get /api/v1/manage/groups/{name}',
        'put /api/v1/manage/groups/{name}',
        'get /api/v1/manage/groups/{name}/members',
        'delete /api/v1/manage/groups/{name}',
        'post /api/v1/manage/groups/{name}/members',
        'delete /api/v1/manage/groups/{name}/members/{user_name}',
        'get /api/v1/manage/sso/saml',
        'get /api/v1/manage/sso/saml/tests/{id}',
        'get /api/v1/manage/tokens',
        'post /api/v1/manage/sso/saml/certificates',
        'post /api/v1/manage/sso/saml/certificates/activate',
        'post /api/v1/manage/sso/saml/links',
        'delete /api/v1/manage/sso/saml/links',
        'post /api/v1/manage/sso/saml/metadata/apply',
        'post /api/v1/manage/sso/saml/metadata/compare',
        'post /api/v1/manage/sso/saml/metadata/refresh',
        'post /api/v1/manage/sso/saml/tests',
        'post /api/v1/manage/tokens',
        'get /api/v1/manage/tokens/{id}',
        'delete /api/v1/manage/tokens/{id}',
        'get /api/v1/manage/connections',
        'get /api/v1/manage/connection-kinds',
        'post /api/v1/manage/connections',
        'get /api/v1/manage/connections/{name}',
        'get /api/v1/manage/connections/{name}/functions',
        'get /api/v1/manage/connections/{name}/tables',
        'post /api/v1/manage/connections/test',
        'patch /api/v1/manage/connections/{name}',
        'get /api/v1/manage/connections/{name}/users',
        'put /api/v1/manage/connections/{name}',
        'delete /api/v1/manage/connections/{name}',
        'get /api/v1/manage/grants',
        'put /api/v1/manage/grants',
        'delete /api/v1/manage/grants',
        'post /api/v1/manage/grants/restrict',
        'get /api/v1/manage/grants/explain',
        'get /api/v1/manage/grants/level',
        'get /api/v1/manage/grants/access',
        'get /api/v1/manage/grants/levels',
        'post /api/v1/manage/grants/changes',
        'get /api/v1/manage/search',
        'get /api/v1/manage/folders/{path}',
        'delete /api/v1/manage/folders/{path}',
        'post /api/v1/manage/items/changes',
        'get /api/v1/manage/deleted',
        'post /api/v1/manage/deleted/restore',
        'post /api/v1/manage/deleted/{id}/restore',
        'delete /api/v1/manage/deleted/{id}',
        'get /api/v1/manage/revisions/{path}',
        'post /api/v1/manage/revisions/{path}',
        'delete /api/v1/manage/revisions/{path}',
        'get /api/v1/manage/audit',
        'get /api/v1/manage/audit/actions',
        'get /api/v1/manage/settings',
        'get /api/v1/manage/server',
        'get /api/v1/manage/backups',
        'post /api/v1/manage/backups',
        'get /api/v1/manage/backups/{name}',
        'delete /api/v1/manage/backups/{name}',
        'get /api/v1/manage/audit/export',
        'get /api/v1/manage/queries',
        'get /api/v1/manage/scim/requests',
        'get /api/v1/manage/sso/failures',
        'get /api/v1/semantic-layer/metadata/{connection_name}',
        'post /api/v1/semantic-layer/codegen/sql',
        'post /api/v1/semantic-layer/codegen/statements',
        'post /api/v1/exec/script',
        'post /api/v1/exec/block',
        'post /api/v1/exec/sql',
        'post /api/v1/exec/bundle',
        'get /api/v1/executions',
        'get /api/v1/executions/{id}',
        'delete /api/v1/executions/{id}',
        'get /api/v1/executions/{id}/result',
        'get /api/v1/executions/{id}/results',
        'get /api/v1/executions/{id}/results/{n}',
        'get /api/v1/executions/{id}/results/{n}/download',
        ...['Users', 'Groups'].flatMap((kind) => [
          ...['get', 'post'].map((method) => `${method} ${SCIM}/${kind}`),
          ...['get', 'put', 'patch', 'delete'].map((method) => `${method} ${SCIM}/${kind}/{id}`),
          `post ${SCIM}/${kind}/.search`,
        ]),
        `post ${SCIM}/.search`,
        `get ${SCIM}/ServiceProviderConfig`,
        ...['ResourceTypes', 'Schemas'].flatMap((kind) => [
          `get ${SCIM}/${kind}`,
          `get ${SCIM}/${kind}/{id}`,
        ]),
      ].sort(),
    );
  });
});

describe.each(operations)(
  '$name',
  ({ method, route, tags, summary, security, parameters = [], ...operation }) => {
    const { responses, requestBody } = operation;
    const statuses = Object.keys(responses);
    const header = (status: string, name: string) => responses[status]?.headers?.[name]?.schema.type;

    it('has a summary and a tag', () => {
      expect(summary).toMatch(/^[A-Z].*[^.]$/);
      expect(document.tags.map(({ name }) => name)).toEqual(expect.arrayContaining([...tags]));
      const named = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
      expect(named).toEqual([...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
      for (const parameter of parameters) {
        expect(parameter.schema.type).toBeDefined();
        if (parameter.in === 'path') expect(parameter.required).toBe(true);
      }
    });

    it('names its users, and its errors for others', () => {
      expect(security).toEqual(route.startsWith('/health/') ? [] : undefined);
      const failures = statuses.filter((status) => Number(status) >= 400);
      for (const status of failures) {
        expect(responses[status]).toEqual({ $ref: `#/components/responses/${nameFailure(route, status)}` });
      }
      if (route.startsWith('/api/v1/'))
        expect(failures).toEqual(expect.arrayContaining(['401', '406', '429', '503']));
      if (requestBody !== undefined) expect(failures).toEqual(expect.arrayContaining(['400', '413', '415']));
      for (const { description } of Object.values(responses))
        expect(description).not.toBe('Default Response');
    });

    it('names the types of its bodies', () => {
      const types = Object.keys(requestBody?.content ?? {});
      const [first = ''] = Object.keys(
        Object.values(responses).find(({ content }) => content)?.content ?? {},
      );
      if (route.startsWith(SCIM)) {
        expect(['', 'application/scim+json']).toContain(first);
        expect([[], ['application/scim+json', 'application/json']]).toContainEqual(types);
      } else {
        expect(first).not.toBe('application/scim+json');
        expect([[], ['application/json']]).toContainEqual(types);
      }
    });

    it('describes its answers', () => {
      const [success] = statuses.filter((status) => Number(status) < 300);
      expect(success).toMatch(/^20[0124]$/);
      expect(responses[success!]?.content === undefined).toBe(success === '204');
      expect(header('201', 'location')).toBe(statuses.includes('201') ? 'string' : undefined);
      const isLater = statuses.includes('202');
      expect(header('202', 'location')).toBe(isLater ? 'string' : undefined);
      expect(header('202', 'retry-after')).toBe(isLater ? 'integer' : undefined);
      const hasPreference = isLater && route.includes('/exec/');
      expect(header('202', 'preference-applied')).toBe(hasPreference ? 'string' : undefined);
    });
  },
);

const items = operations.filter(({ route }) => route.startsWith('/api/v1/catalog/'));

it.each(items)(
  '$name describes how conflicting changes are detected',
  ({ method, route, parameters = [], responses }) => {
    const header = (status: string, name: string) => responses[status]?.headers?.[name]?.schema.type;
    const statuses = Object.keys(responses);
    const needsMatch = method === 'put' || method === 'delete';
    const ifMatch = parameters.find(({ name }) => name === 'if-match');
    expect(ifMatch?.required === true).toBe(needsMatch);
    expect(statuses.includes('412') && statuses.includes('428')).toBe(needsMatch);
    const hasTag = method === 'post' || method === 'put' || route.includes('/by-path/');
    expect(header(method === 'post' ? '201' : '200', 'etag')).toBe(hasTag ? 'string' : undefined);
  },
);

describe('the operations', () => {
  it('have unique ids that begin with a verb, and a description', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(ids.filter((id) => !/^[a-z]+(?:[A-Z][a-z0-9]*)+$/.test(id ?? ''))).toEqual([]);
    expect(new Set(ids).size).toBe(operations.length);
    for (const { description } of operations) expect(description).toMatch(/^[A-Z][\s\S]*\.$/);
  });

  it('need a body if they read one, except for changes of folders', () => {
    const optional = operations.filter(({ requestBody }) => requestBody?.required === false);
    expect(optional.map(({ operationId }) => operationId)).toEqual(['updateFolder']);
  });

  it('have links to operations and parameters that exist', () => {
    const byId = Map.groupBy(operations, ({ operationId }) => operationId);
    const links = operations.flatMap(({ responses }) =>
      Object.values(responses).flatMap((response) => Object.values(response.links ?? {})),
    );
    expect(links.length).toBeGreaterThan(20);
    for (const { operationId, parameters } of links) {
      const known = byId.get(operationId)?.[0]?.parameters?.map(({ name }) => name);
      expect(known).toEqual(expect.arrayContaining(Object.keys(parameters)));
      for (const value of Object.values(parameters)) expect(value).toMatch(/^\$response\.(body#\/|header\.)/);
    }
  });

  it('have no default in a request: generated clients would require the field', () => {
    const sent = operations.flatMap(({ parameters, requestBody }) => [parameters, requestBody]);
    const names = [...walk(sent)].flatMap(({ $ref }) =>
      typeof $ref === 'string' ? [$ref.split('/').at(-1)!] : [],
    );
    const parts = names.map((name) => document.components.schemas[name]);
    expect([...walk([sent, parts])].filter((each) => 'default' in each)).toEqual([]);
  });
});

describe('the page of the document', () => {
  it('runs only its own scripts', async () => {
    const { ask } = await createWorld({}, { log: () => undefined });
    const { status, headers, text } = await ask('GET', '/api/docs', { token: null });
    expect(status).toBe(200);
    expect(headers['content-security-policy']).toMatch(/^default-src 'self'; script-src 'self'; /);
    expect(headers['content-security-policy']).not.toMatch(/http|unsafe-eval|upgrade/);
    const files = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, target]) => target!);
    expect(files.length).toBeGreaterThan(3);
    for (const target of files) expect((await ask('GET', target, { token: null })).status).toBe(200);
    expect(text).not.toMatch(/<script>|\son\w+=/);
  });
});
