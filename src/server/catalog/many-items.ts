import { type Static, Type } from 'typebox';
import { ItemOutcomesSchema, RestoreOutcomesSchema } from '../../catalog/many/outcomes-body.ts';
import { MAX_CHANGED_ITEMS } from '../../catalog/many/service.ts';
import type { Instance } from '../../workspace/instance/instance.ts';
import { defineFields } from '../fields/define-fields.ts';
import { flag, requiredTexts, text } from '../fields/kinds.ts';
import { listFailures } from '../http/error-schema.ts';
import { EXAMPLE_ID } from '../http/operation.ts';
import type { App } from '../http/typed-app.ts';

export type ItemOutcomesResponse = Static<typeof ItemOutcomesSchema>;
export type RestoreOutcomesResponse = Static<typeof RestoreOutcomesSchema>;

const changes = defineFields(
  {
    paths: requiredTexts('Paths', { description: 'Catalog paths', maxItems: MAX_CHANGED_ITEMS }),
    parent_path: text('Parent path', Type.String({ description: 'Path of the folder to move them to' })),
    delete: flag('Delete'),
  },
  { title: 'ItemChanges', description: 'Items, and exactly one change' },
);
export type ItemChangesBody = Static<typeof changes.schema>;

const restored = defineFields(
  { ids: requiredTexts('Ids', { description: 'Ids in the bin', maxItems: MAX_CHANGED_ITEMS }) },
  { title: 'RestoredItems' },
);
export type RestoredItemsBody = Static<typeof restored.schema>;

/** Changes of several items at once (docs/reference/http-catalog.md#changing-several-items). */
export function addManyItems(app: App, { manyItems }: Pick<Instance, 'manyItems'>): void {
  const change = {
    tags: ['catalog'],
    summary: 'Move or delete several items',
    operationId: 'changeItems',
    scope: 'write',
    description:
      'Moves up to 500 folders and scripts to a folder, or deletes them with everything in them: each as if alone, in its current revision. Returns one outcome for each.',
    example: { body: { paths: ['@Shared/reports/daily'], delete: true } },
    body: changes.schema,
    response: { 200: ItemOutcomesSchema, ...listFailures(400, 413, 415) },
  };
  app.post('/manage/items/changes', { schema: change }, ({ principal, body }) =>
    manyItems.change(principal, changes.read(body)),
  );
  const restore = {
    tags: ['catalog'],
    summary: 'Restore several deleted items',
    operationId: 'restoreDeletedItems',
    scope: 'write',
    description:
      'Moves up to 500 items from the bin back to their former places, each as if alone. Returns one outcome for each.',
    example: { body: { ids: [EXAMPLE_ID] } },
    body: restored.schema,
    response: { 200: RestoreOutcomesSchema, ...listFailures(400, 413, 415) },
  };
  app.post('/manage/deleted/restore', { schema: restore }, ({ principal, body }) =>
    manyItems.restore(principal, restored.read(body).ids),
  );
}
