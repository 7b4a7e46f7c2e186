import type { Instance } from '../../workspace/instance/instance.ts';
import { listFailures, NoBodySchema } from '../http/error-schema.ts';
import type { App } from '../http/typed-app.ts';
import { checkTarget } from './check-target.ts';
import { IfMatchHeaders, PathParams } from './schemas.ts';

/** `DELETE /catalog/folders/{path}` (docs/reference/http-catalog.md#changing). */
export function addDeleteFolder(app: App, instance: Instance): void {
  const { catalog } = instance;
  const schema = {
    tags: ['catalog'],
    summary: 'Delete an empty folder',
    operationId: 'deleteFolder',
    scope: 'write',
    description: 'Deletes an empty folder. `If-Match` must name its current ETag.',
    example: { parameters: { path: '@Shared/reports', 'if-match': '*' } },
    params: PathParams,
    headers: IfMatchHeaders,
    response: { 204: NoBodySchema, ...listFailures(400, 404, 412, 422, 428) },
  };
  app.delete(
    '/catalog/folders/*',
    { schema, preParsing: checkTarget(instance, 'folder') },
    async (request, reply) => {
      catalog.deleteFolder(request.principal, request.params['*'], request.headers['if-match']);
      return reply.code(204).send(undefined);
    },
  );
}
