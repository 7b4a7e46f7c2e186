import { Type } from 'typebox';
import { ASSET_KINDS } from '../../catalog/asset-type.ts';
import { FolderListSchema } from '../../catalog/item-body.ts';
import { type DetailsRequest, ITEM_SORTS } from '../../catalog/list-details.ts';
import { checkPageLimit } from '../../identity/log-range.ts';
import type { Principal } from '../../identity/principal/principal.ts';
import { listKeys } from '../../invariants/narrow.ts';
import type { Instance } from '../../workspace/instance/instance.ts';
import { defineFields } from '../fields/define-fields.ts';
import { choice, queryCount, querySwitch, text } from '../fields/kinds.ts';
import { projectVersion } from '../fields/project-version.ts';
import { listFailures } from '../http/error-schema.ts';
import type { App } from '../http/typed-app.ts';
import { PathParams } from './schemas.ts';

const page = {
  details: querySwitch('Details', 'Whether to return a page of the items with details'),
  q: text(
    'Q',
    Type.String({ description: 'Part of the name or the description, ignoring case, with `details`' }),
  ),
  type: choice('Type', listKeys(ASSET_KINDS), 'Type of the items, with `details`'),
  places: querySwitch(
    'Places',
    'Whether to return only folders in which the caller may create items, and those on the way to them, with `details`',
  ),
  sort: choice(
    'Sort',
    ITEM_SORTS,
    'Order, with `details`; folders are first, and a minus sorts downwards. Defaults to `name`',
  ),
  limit: queryCount('Limit', {
    minimum: 1,
    maximum: 1000,
    description: 'Number of items with `details`. Defaults to 100',
  }),
  after: text(
    'After',
    Type.String({
      description: 'Name of an item; returns only the items after it in this order, with `details`',
    }),
  ),
};

const namespaceQuery = defineFields(page);
const folderQuery = defineFields({ ...page, project_version: projectVersion });

/** `GET /catalog/list/{path}` (docs/reference/http-catalog.md#reading); without a path it lists the namespaces. */
export function addList(app: App, { catalog }: Instance): void {
  const list = (
    principal: Principal,
    path: string,
    { details, ...request }: ReturnType<typeof namespaceQuery.read> & DetailsRequest,
  ) => {
    if (details) return catalog.listDetails(principal, path, request);
    checkPageLimit(request.limit);
    return catalog.list(principal, path, request.projectVersion);
  };
  const schema = {
    tags: ['catalog'],
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
        querystring: namespaceQuery.schema,
        description: 'Lists the namespaces of the catalog: `@Personal`, `@Shared` and `@Project Hub`.',
      },
    },
    (request) => list(request.principal, '', namespaceQuery.read(request.query)),
  );
  app.get(
    '/catalog/list/*',
    {
      schema: {
        ...schema,
        summary: 'List the children of a folder',
        operationId: 'listFolder',
        scope: 'read',
        description:
          'Lists the direct children of a folder that the caller may view, with `details=true` a page of them with details.',
        example: { parameters: { path: '@Shared/reports' } },
        params: PathParams,
        querystring: folderQuery.schema,
      },
      // A flat string: Node would flatten a concatenation of many pieces before it sends it.
      serializerCompiler: () => JSON.stringify,
    },
    (request) => list(request.principal, request.params['*'], folderQuery.read(request.query)),
  );
}
