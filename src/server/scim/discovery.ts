import type { FastifyRequest } from 'fastify';
import {
  listResourceTypes,
  listSchemas,
  printServiceProviderConfig,
  type ScimObject,
} from '../../workspace/api/scim-discovery.ts';
import type { App } from '../http/typed-app.ts';
import { describeRoute } from './describe-route.ts';
import { scimErrors } from './errors.ts';
import { getId, IdParams } from './id-param.ts';
import { ScimDocumentListSchema, ScimDocumentSchema } from './schemas.ts';

/** The absolute URL of the prefix, for links. */
type BaseOf = (request: FastifyRequest) => string;

/** A kind of documents that can be listed and retrieved. */
interface Catalog {
  readonly endpoint: '/ResourceTypes' | '/Schemas';
  readonly one: string;
  readonly many: string;
  readonly list: (base: string) => readonly ScimObject[];
}

const CATALOGS: readonly Catalog[] = [
  { endpoint: '/ResourceTypes', one: 'Resource type', many: 'resource types', list: listResourceTypes },
  { endpoint: '/Schemas', one: 'Schema', many: 'schemas', list: listSchemas },
];

/** The discovery endpoints (RFC 7644, 4). */
export function addDiscovery(app: App, baseOf: BaseOf): void {
  const schema = describeRoute('Retrieve the supported SCIM features', [], {
    response: { 200: ScimDocumentSchema },
  });
  app.get('/ServiceProviderConfig', { schema }, async (request) =>
    printServiceProviderConfig(baseOf(request)),
  );
  for (const catalog of CATALOGS) addCatalog(app, catalog, baseOf);
}

function addCatalog(app: App, { endpoint, one, many, list }: Catalog, baseOf: BaseOf): void {
  const all = describeRoute(`List the ${many}`, [], { response: { 200: ScimDocumentListSchema } });
  app.get(endpoint, { schema: all }, async (request) => {
    // A filter must be refused, not ignored (RFC 7644, 4).
    if ('filter' in (request.query as object)) throw scimErrors.noFilterHere();
    return toList(list(baseOf(request)));
  });
  const get = describeRoute(`Retrieve a ${one.toLowerCase()}`, [404], {
    params: IdParams,
    response: { 200: ScimDocumentSchema },
  });
  app.get(`${endpoint}/:id`, { schema: get }, async (request) => {
    const id = getId(request);
    const found = list(baseOf(request)).find((each) => String(each.id).toLowerCase() === id.toLowerCase());
    if (found === undefined) throw scimErrors.notFound(one, id);
    return found;
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
