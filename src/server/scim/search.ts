import type { App } from '../http/typed-app.ts';
import { BODY_LIMIT, describeRoute } from './describe-route.ts';
import { readSearch } from './read-query.ts';
import type { ScimOf } from './resources.ts';
import { ScimListSchema, ScimSearchSchema } from './schemas.ts';

/** `POST /.search`, of users, of groups, and of both (RFC 7644, 3.4.3): a list whose question is in a body. */
export function addSearch(app: App, scimOf: ScimOf): void {
  const describe = (what: string) =>
    describeRoute(`Search ${what}`, [400, 413, 415], {
      body: ScimSearchSchema,
      response: { 200: ScimListSchema },
    });
  const optionsFor = (what: string) => ({ schema: describe(what), bodyLimit: BODY_LIMIT });
  app.post('/Users/.search', optionsFor('the users'), (request) =>
    scimOf(request).users.list(readSearch(request.body)),
  );
  app.post('/Groups/.search', optionsFor('the groups'), (request) =>
    scimOf(request).groups.list(readSearch(request.body)),
  );
  app.post('/.search', optionsFor('users and groups'), (request) =>
    scimOf(request).search(readSearch(request.body)),
  );
}
