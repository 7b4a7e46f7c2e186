import { readString, toFields } from '../../errors/fields.ts';
import { withHeaders } from '../http/answer-headers.ts';
import { listFailures } from '../http/error-schema.ts';
import type { App } from '../http/typed-app.ts';
import { printETag } from './etag.ts';
import { ItemSchema, PathParams, ReadQuery } from './schemas.ts';

/** `GET /catalog/by-path/{path}` (interface 4.1). */
export function addGet(app: App): void {
  const schema = {
    tags: ['catalog'],
    summary: 'Read a folder or an asset',
    params: PathParams,
    querystring: ReadQuery,
    response: { 200: withHeaders(ItemSchema, 'etag'), ...listFailures(400, 404) },
  };
  app.get('/catalog/by-path/*', { schema }, async (request, reply) => {
    const { body, revision } = await request.api.catalog.get(
      request.params['*'],
      readString(toFields(request.query), 'project_version', 'Project version'),
    );
    reply.header('etag', printETag(revision));
    return body;
  });
}
