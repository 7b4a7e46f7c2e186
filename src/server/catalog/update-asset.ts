import { AssetSchema } from '../../catalog/item-body.ts';
import type { Instance } from '../../workspace/instance/instance.ts';
import { listFailures } from '../http/error-schema.ts';
import { withHeaders } from '../http/response-headers.ts';
import type { App } from '../http/typed-app.ts';
import { checkTarget } from './check-target.ts';
import { printETag } from './item-headers.ts';
import { ASSET_FIELDS, assetChange, CONTENT_BODY_LIMIT, IfMatchHeaders, PathParams } from './schemas.ts';
import { sendItem } from './send-item.ts';

/** `PUT /catalog/assets/{path}` (docs/reference/http-catalog.md#changing). */
export function addUpdateAsset(app: App, instance: Instance): void {
  const { catalog } = instance;
  const schema = {
    tags: ['catalog'],
    summary: 'Update a script',
    operationId: 'updateAsset',
    scope: 'write',
    description: 'Renames, moves, describes or rewrites an asset. `If-Match` must name its current ETag.',
    example: {
      parameters: { path: '@Shared/reports/monthly', 'if-match': '*' },
      body: { content: "SELECT '$month' AS month, 42 AS sales" },
    },
    params: PathParams,
    headers: IfMatchHeaders,
    body: assetChange.schema,
    response: { 200: withHeaders(AssetSchema, 'etag'), ...listFailures(400, 404, 412, 413, 415, 422, 428) },
  };
  app.put(
    '/catalog/assets/*',
    {
      schema,
      bodyLimit: CONTENT_BODY_LIMIT,
      config: ASSET_FIELDS,
      preParsing: checkTarget(instance, 'asset'),
    },
    async (request, reply) => {
      const { body, revision } = await catalog.updateAsset(
        request.principal,
        request.params['*'],
        request.headers['if-match'],
        assetChange.readOnUse(request.body),
      );
      return sendItem(request, reply.header('etag', printETag(revision)), body);
    },
  );
}
