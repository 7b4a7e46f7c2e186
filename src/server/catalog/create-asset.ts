import { listFailures } from '../http/error-schema.ts';
import { withHeaders } from '../http/response-headers.ts';
import type { App } from '../http/typed-app.ts';
import { printETag, printLocation } from './item-headers.ts';
import { ASSET_FIELDS, AssetSchema, CONTENT_BODY_LIMIT, NewAssetSchema } from './schemas.ts';
import { sendItem } from './send-item.ts';

/** `POST /catalog/assets` (docs/reference/http-catalog.md#creating). */
export function addCreateAsset(app: App): void {
  const schema = {
    tags: ['catalog'],
    summary: 'Create a script',
    body: NewAssetSchema,
    response: { 201: withHeaders(AssetSchema, 'etag', 'location'), ...listFailures(400, 404, 413, 415) },
  };
  app.post(
    '/catalog/assets',
    { schema, bodyLimit: CONTENT_BODY_LIMIT, config: ASSET_FIELDS },
    async (request, reply) => {
      const { body, revision } = await request.api.catalog.createAsset(request.body);
      reply.code(201).header('etag', printETag(revision)).header('location', printLocation(body.path));
      return sendItem(request, reply, body);
    },
  );
}
