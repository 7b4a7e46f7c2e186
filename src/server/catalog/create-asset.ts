import { AssetSchema } from '../../catalog/item-body.ts';
import type { Instance } from '../../workspace/instance/instance.ts';
import { listFailures } from '../http/error-schema.ts';
import { inBody, linksTo, THIS_REVISION } from '../http/operation.ts';
import { withHeaders } from '../http/response-headers.ts';
import type { App } from '../http/typed-app.ts';
import { printETag, printItemLocation } from './item-headers.ts';
import { ASSET_FIELDS, CONTENT_BODY_LIMIT, newAsset } from './schemas.ts';
import { sendItem } from './send-item.ts';

/** `POST /catalog/assets` (docs/reference/http-catalog.md#creating). */
export function addCreateAsset(app: App, { catalog }: Instance): void {
  const schema = {
    tags: ['catalog'],
    summary: 'Create a script',
    operationId: 'createAsset',
    scope: 'write',
    description:
      'Creates a script. Content with script-language blocks creates a `SERVICE_SCRIPT`; all other content creates a `SQL_SCRIPT`.',
    example: {
      body: { parent_path: '@Shared/reports', name: 'monthly', content: "SELECT '$month' AS month" },
    },
    links: {
      201: {
        ...linksTo(inBody('path'), 'getAsset'),
        ...linksTo(THIS_REVISION, 'updateAsset', 'deleteAsset'),
      },
    },
    body: newAsset.schema,
    response: { 201: withHeaders(AssetSchema, 'etag', 'location'), ...listFailures(400, 404, 413, 415) },
  };
  app.post(
    '/catalog/assets',
    { schema, bodyLimit: CONTENT_BODY_LIMIT, config: ASSET_FIELDS },
    async (request, reply) => {
      const { body, revision } = await catalog.createAsset(
        request.principal,
        newAsset.readOnUse(request.body),
      );
      reply.code(201).header('etag', printETag(revision)).header('location', printItemLocation(body.path));
      return sendItem(request, reply, body);
    },
  );
}
