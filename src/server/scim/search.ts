import type { TSchema } from 'typebox';
import type { App } from '../http/typed-app.ts';
import { BODY_LIMIT, describeRoute } from './describe-route.ts';
import { readSearch } from './read-query.ts';
import type { ScimOf } from './resources.ts';
import { ScimGroupListSchema, ScimListSchema, ScimSearchSchema, ScimUserListSchema } from './schemas.ts';

/** `POST /.search` of users, of groups, and of both (RFC 7644, 3.4.3): a list with its parameters in the body. */
export function addSearch(app: App, scimOf: ScimOf): void {
  const describe = (what: string, list: TSchema) =>
    describeRoute(`Search ${what}`, [400, 413, 415], {
      body: ScimSearchSchema,
      response: { 200: list },
    });
  const optionsFor = (what: string, list: TSchema) => ({
    schema: describe(what, list),
    bodyLimit: BODY_LIMIT,
  });
  app.post('/Users/.search', optionsFor('users', ScimUserListSchema), (request) =>
    scimOf(request).users.list(readSearch(request.body)),
  );
  app.post('/Groups/.search', optionsFor('groups', ScimGroupListSchema), (request) =>
    scimOf(request).groups.list(readSearch(request.body)),
  );
  app.post('/.search', optionsFor('users and groups', ScimListSchema), (request) =>
    scimOf(request).search(readSearch(request.body)),
  );
}
