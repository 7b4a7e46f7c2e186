import type { Instance } from '../../workspace/instance/instance.ts';
import { listFailures, NoBodySchema } from '../http/error-schema.ts';
import type { App } from '../http/typed-app.ts';
import { checkTarget } from './check-target.ts';
import { IfMatchHeaders, PathParams } from './schemas.ts';

/** `DELETE /catalog/assets/{path}` (docs/reference/http-catalog.md#changing). */
export function addDeleteAsset(app: App, instance: Instance): void {
  const { catalog } = instance;
  const schema = {
    tags: ['catalog'],
    summary: 'Delete an asset',
    operationId: 'deleteAsset',
    scope: 'write',
    description: 'Deletes an asset. `If-Match` must name its current ETag.',
    example: { parameters: { path: '@Shared/reports/monthly', 'if-match': '*' } },
    params: PathParams,
    headers: IfMatchHeaders,
    response: { 204: NoBodySchema, ...listFailures(400, 404, 412, 422, 428) },
  };
  app.delete(
    '/catalog/assets/*',
    { schema, preParsing: checkTarget(instance, 'asset') },
    async (request, reply) => {
      await catalog.deleteAsset(request.principal, request.params['*'], request.headers['if-match']);
      return reply.code(204).send(undefined);
    },
  );
}
