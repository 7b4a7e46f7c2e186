import type { TSchema } from 'typebox';
import type { App } from '../http/typed-app.ts';
import { BODY_LIMIT, describeRoute } from './describe-route.ts';
import { SCIM_KINDS, type ScimOperation, SEARCH } from './kinds.ts';
import { readSearch } from './read-scim-query.ts';
import type { ScimOf } from './resources.ts';
import { ScimListSchema, ScimSearchSchema } from './schemas.ts';

const BOTH: ScimOperation = {
  summary: 'Search users and groups',
  operationId: 'searchScimResources',
  scope: 'read',
  description: 'Lists users and groups that match the filter in the body.',
  example: { body: { schemas: [SEARCH], count: 10 } },
};

/** `POST /.search` of users, of groups, and of both (RFC 7644, 3.4.3): a list with its parameters in the body. */
export function addScimSearch(app: App, scimOf: ScimOf): void {
  const optionsFor = (operation: ScimOperation, list: TSchema) => ({
    schema: describeRoute(operation, [400, 413, 415], { body: ScimSearchSchema, response: { 200: list } }),
    bodyLimit: BODY_LIMIT,
  });
  for (const { endpoint, operations, list, of } of SCIM_KINDS) {
    app.post(`${endpoint}/.search`, optionsFor(operations.search, list), (request) =>
      of(scimOf(request)).list(readSearch(request.body)),
    );
  }
  app.post('/.search', optionsFor(BOTH, ScimListSchema), (request) =>
    scimOf(request).search(readSearch(request.body)),
  );
}
