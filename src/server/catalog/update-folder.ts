import { FolderSchema } from '../../catalog/item-body.ts';
import type { Instance } from '../../workspace/instance/instance.ts';
import { listFailures } from '../http/error-schema.ts';
import { withHeaders } from '../http/response-headers.ts';
import type { App } from '../http/typed-app.ts';
import { checkTarget } from './check-target.ts';
import { printETag } from './item-headers.ts';
import { folderChange, IfMatchHeaders, PathParams } from './schemas.ts';

/** `PUT /catalog/folders/{path}` (docs/reference/http-catalog.md#changing). */
export function addUpdateFolder(app: App, instance: Instance): void {
  const { catalog } = instance;
  const schema = {
    tags: ['catalog'],
    summary: 'Update a folder',
    operationId: 'updateFolder',
    scope: 'write',
    description: 'Renames, moves or describes a folder. `If-Match` must name its current ETag.',
    example: {
      parameters: { path: '@Shared/reports', 'if-match': '*' },
      body: { description: 'What the board reads' },
    },
    hasOptionalBody: true,
    params: PathParams,
    headers: IfMatchHeaders,
    body: folderChange.schema,
    response: { 200: withHeaders(FolderSchema, 'etag'), ...listFailures(400, 404, 412, 413, 415, 422, 428) },
  };
  app.put('/catalog/folders/*', { schema, preParsing: checkTarget(instance, 'folder') }, (request, reply) => {
    const { body, revision } = catalog.updateFolder(
      request.principal,
      request.params['*'],
      request.headers['if-match'],
      folderChange.readOnUse(request.body),
    );
    reply.header('etag', printETag(revision));
    return body;
  });
}
