import { FolderListSchema } from '../../catalog/item-body.ts';
import type { Instance } from '../../workspace/instance/instance.ts';
import { listFailures } from '../http/error-schema.ts';
import type { App } from '../http/typed-app.ts';
import { PathParams, versionQuery } from './schemas.ts';

/** `GET /catalog/list/{path}` (docs/reference/http-catalog.md#reading); without a path it lists the namespaces. */
export function addList(app: App, { catalog }: Instance): void {
  const schema = {
    tags: ['catalog'],
    querystring: versionQuery.schema,
    response: { 200: FolderListSchema, ...listFailures(400, 403, 404) },
  };
  app.get(
    '/catalog/list',
    {
      schema: {
        ...schema,
        summary: 'List the namespaces',
        operationId: 'listNamespaces',
        scope: 'read',
        description: 'Lists the namespaces of the catalog: `@Personal`, `@Shared` and `@Project Hub`.',
      },
    },
    (request) => catalog.list(request.principal, ''),
  );
  app.get(
    '/catalog/list/*',
    {
      schema: {
        ...schema,
        summary: 'List the children of a folder',
        operationId: 'listFolder',
        scope: 'read',
        description: 'Lists the direct children of a folder that the caller may view.',
        example: { parameters: { path: '@Shared/reports' } },
        params: PathParams,
      },
      // A flat string: Node would flatten a concatenation of many pieces before it sends it.
      serializerCompiler: () => JSON.stringify,
    },
    (request) => {
      const { projectVersion } = versionQuery.read(request.query);
      return catalog.list(request.principal, request.params['*'], projectVersion);
    },
  );
}
