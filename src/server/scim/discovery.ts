import type { ScimObject } from '../../identity/scim/protocol/resource.ts';
import {
  listResourceTypes,
  listSchemas,
  printServiceProviderConfig,
} from '../../identity/scim/resources/discovery.ts';
import type { App } from '../http/typed-app.ts';
import { describeRoute } from './describe-route.ts';
import { provisioningErrors } from './errors.ts';
import { getId, IdParams } from './id-param.ts';
import { type ScimOperation, USER } from './kinds.ts';
import { toScimBase } from './prefix.ts';
import { ScimDocumentListSchema, ScimDocumentSchema } from './schemas.ts';

/** A kind of documents that can be listed and retrieved. */
interface Catalog {
  readonly endpoint: '/ResourceTypes' | '/Schemas';
  readonly one: string;
  readonly list: (base: string) => readonly ScimObject[];
  readonly operations: Readonly<Record<'list' | 'get', ScimOperation>>;
}

const CATALOGS: readonly Catalog[] = [
  {
    endpoint: '/ResourceTypes',
    one: 'Resource type',
    list: listResourceTypes,
    operations: {
      list: {
        summary: 'List the resource types',
        operationId: 'listScimResourceTypes',
        scope: 'read',
        description: 'Lists the resource types: users and groups.',
      },
      get: {
        summary: 'Retrieve a resource type',
        operationId: 'getScimResourceType',
        scope: 'read',
        description: 'Retrieves a resource type.',
        example: { parameters: { id: 'User' } },
      },
    },
  },
  {
    endpoint: '/Schemas',
    one: 'Schema',
    list: listSchemas,
    operations: {
      list: {
        summary: 'List the schemas',
        operationId: 'listScimSchemas',
        scope: 'read',
        description: 'Lists the schemas of users and groups.',
      },
      get: {
        summary: 'Retrieve a schema',
        operationId: 'getScimSchema',
        scope: 'read',
        description: 'Retrieves a schema.',
        example: { parameters: { id: USER } },
      },
    },
  },
];

const CONFIGURATION: ScimOperation = {
  summary: 'Retrieve the supported SCIM features',
  operationId: 'getScimConfiguration',
  scope: 'read',
  description: 'Returns the features of SCIM 2.0 that the server supports.',
};

/** The discovery endpoints (RFC 7644, 4). */
export function addDiscovery(app: App): void {
  const schema = describeRoute(CONFIGURATION, [], { response: { 200: ScimDocumentSchema } });
  app.get('/ServiceProviderConfig', { schema }, async (request) =>
    printServiceProviderConfig(toScimBase(request)),
  );
  for (const catalog of CATALOGS) addCatalog(app, catalog);
}

function addCatalog(app: App, { endpoint, one, list, operations }: Catalog): void {
  const all = describeRoute(operations.list, [], { response: { 200: ScimDocumentListSchema } });
  app.get(endpoint, { schema: all }, async (request) => {
    // A filter must be refused, not ignored (RFC 7644, 4).
    if ('filter' in (request.query as object)) throw provisioningErrors.noFilterHere();
    return toList(list(toScimBase(request)));
  });
  const get = describeRoute(operations.get, [404], {
    params: IdParams,
    response: { 200: ScimDocumentSchema },
  });
  app.get(`${endpoint}/:id`, { schema: get }, async (request) => {
    const id = getId(request);
    const resource = list(toScimBase(request)).find(
      (each) => String(each.id).toLowerCase() === id.toLowerCase(),
    );
    if (resource === undefined) throw provisioningErrors.notFound(one, id);
    return resource;
  });
}

function toList(resources: readonly ScimObject[]): ScimObject {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: resources.length,
    startIndex: 1,
    itemsPerPage: resources.length,
    Resources: resources,
  };
}
