import { type Static, Type } from 'typebox';
import { FolderSizeSchema } from '../../catalog/item-body.ts';
import type { Instance } from '../../workspace/instance/instance.ts';
import { checkTarget } from '../catalog/check-target.ts';
import { IfMatchHeaders, PathParams } from '../catalog/schemas.ts';
import { listFailures } from '../http/error-schema.ts';
import type { App } from '../http/typed-app.ts';

export type FolderSizeResponse = Static<typeof FolderSizeSchema>;

const DeletedSchema = Type.Object(
  { deleted: Type.Integer({ description: 'Deleted items below the folder' }) },
  { title: 'DeletedFolder' },
);

/** `GET` and `DELETE /manage/folders/{path}`: counts or deletes everything in a folder. */
export function addFolders(app: App, instance: Instance): void {
  const { catalog } = instance;
  const countSchema = {
    tags: ['catalog'],
    summary: 'Count the items below a folder',
    operationId: 'countFolder',
    scope: 'read',
    description: 'Counts the folders and scripts below a folder that the caller may view.',
    example: { parameters: { path: '@Shared/reports' } },
    params: PathParams,
    response: { 200: FolderSizeSchema, ...listFailures(400, 403, 404) },
  };
  app.get('/manage/folders/*', { schema: countSchema }, (request) =>
    catalog.countBelow(request.principal, request.params['*']),
  );
  const deleteSchema = {
    tags: ['catalog'],
    summary: 'Delete a folder with everything in it',
    operationId: 'deleteFolderTree',
    scope: 'write',
    description:
      'Deletes a folder with everything in it. If one of the items may not be deleted, nothing is deleted.',
    example: { parameters: { path: '@Shared/shop', 'if-match': '*' } },
    params: PathParams,
    headers: IfMatchHeaders,
    response: { 200: DeletedSchema, ...listFailures(400, 404, 412, 422, 428) },
  };
  app.delete(
    '/manage/folders/*',
    { schema: deleteSchema, preParsing: checkTarget(instance, 'folder') },
    async (request) => ({
      deleted: await catalog.deleteTree(request.principal, request.params['*'], request.headers['if-match']),
    }),
  );
}
