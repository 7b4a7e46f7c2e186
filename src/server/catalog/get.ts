import { Type } from 'typebox';
import { ItemSchema } from '../../catalog/item-body.ts';
import type { Instance } from '../../workspace/instance/instance.ts';
import { listFailures, NoBodySchema } from '../http/error-schema.ts';
import { namesEntityTag } from '../http/names-entity-tag.ts';
import { linksTo, THIS_REVISION } from '../http/operation.ts';
import { withHeaders } from '../http/response-headers.ts';
import type { App } from '../http/typed-app.ts';
import { printETag } from './item-headers.ts';
import { PathParams, versionQuery } from './schemas.ts';
import { sendItem } from './send-item.ts';

const NoneMatchHeaders = Type.Object({
  'if-none-match': Type.Optional(Type.String({ description: 'ETags that the client has cached' })),
});

/**
 * `GET /catalog/by-path/{path}` (docs/reference/http-catalog.md#reading); 304 when `If-None-Match` names the revision
 * (RFC 9110, 13.1.2).
 */
export function addGet(app: App, { catalog }: Instance): void {
  const schema = {
    tags: ['catalog'],
    summary: 'Retrieve a folder or an asset',
    operationId: 'getAsset',
    scope: 'read',
    description: 'Retrieves a folder, or an asset with its content. The response has its current ETag.',
    example: { parameters: { path: '@Shared/reports/monthly' } },
    links: { 200: linksTo(THIS_REVISION, 'updateAsset', 'deleteAsset') },
    params: PathParams,
    querystring: versionQuery.schema,
    headers: NoneMatchHeaders,
    response: { 200: withHeaders(ItemSchema, 'etag'), 304: NoBodySchema, ...listFailures(400, 404) },
  };
  app.get('/catalog/by-path/*', { schema }, async (request, reply) => {
    const { body, revision } = catalog.get(
      request.principal,
      request.params['*'],
      versionQuery.read(request.query).projectVersion,
    );
    const etag = printETag(revision);
    reply.header('etag', etag);
    const isKnown = namesEntityTag(request.headers['if-none-match'], etag);
    return isKnown ? reply.code(304).send() : sendItem(request, reply, body);
  });
}
