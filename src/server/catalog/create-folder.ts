import { FolderSchema } from '../../catalog/item-body.ts';
import type { Instance } from '../../workspace/instance/instance.ts';
import { listFailures } from '../http/error-schema.ts';
import { inBody, linksTo, THIS_REVISION } from '../http/operation.ts';
import { withHeaders } from '../http/response-headers.ts';
import type { App } from '../http/typed-app.ts';
import { printETag, printItemLocation } from './item-headers.ts';
import { newFolder } from './schemas.ts';

/** `POST /catalog/folders` (docs/reference/http-catalog.md#creating). */
export function addCreateFolder(app: App, { catalog }: Instance): void {
  const schema = {
    tags: ['catalog'],
    summary: 'Create a folder',
    operationId: 'createFolder',
    scope: 'write',
    description: 'Creates a folder or a project folder. The response has its ETag.',
    example: { body: { parent_path: '@Shared', name: 'reports' } },
    links: {
      201: {
        ...linksTo(inBody('path'), 'listFolder', 'getAsset'),
        ...linksTo(THIS_REVISION, 'updateFolder', 'deleteFolder'),
      },
    },
    body: newFolder.schema,
    response: {
      201: withHeaders(FolderSchema, 'etag', 'location'),
      ...listFailures(400, 404, 413, 415, 422),
    },
  };
  app.post('/catalog/folders', { schema }, async (request, reply) => {
    const { body, revision } = catalog.createFolder(request.principal, newFolder.readOnUse(request.body));
    return reply
      .code(201)
      .header('etag', printETag(revision))
      .header('location', printItemLocation(body.path))
      .send(body);
  });
}
