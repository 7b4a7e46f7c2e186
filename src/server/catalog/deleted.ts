import { type Static, Type } from 'typebox';
import { DeletedItemSchema } from '../../catalog/bin/deleted-body.ts';
import { FolderSchema } from '../../catalog/item-body.ts';
import type { Instance } from '../../workspace/instance/instance.ts';
import { defineFields } from '../fields/define-fields.ts';
import { queryCount, text } from '../fields/kinds.ts';
import { listFailures, NoBodySchema } from '../http/error-schema.ts';
import { EXAMPLE_ID } from '../http/operation.ts';
import { withHeaders } from '../http/response-headers.ts';
import type { App } from '../http/typed-app.ts';
import { printETag } from './item-headers.ts';
import { restorePlace } from './schemas.ts';

const ListSchema = Type.Object(
  { data: Type.Immutable(Type.Array(DeletedItemSchema)) },
  { title: 'DeletedItemList' },
);
export type DeletedListResponse = Static<typeof ListSchema>;

const search = defineFields({
  q: text('Q', Type.String({ description: 'Part of the path, ignoring case' })),
  limit: queryCount('Limit', { minimum: 1, maximum: 1000, description: 'Defaults to 100' }),
  before: text('Before', Type.String({ description: 'Id of an item; returns only items deleted earlier' })),
});

const IdParams = Type.Object({ id: Type.String() });

/** The bin (docs/reference/bin.md), below `/manage/deleted`. */
export function addDeleted(app: App, { bin }: Pick<Instance, 'bin'>): void {
  const list = {
    tags: ['catalog'],
    summary: 'List the bin',
    operationId: 'listDeletedItems',
    scope: 'read',
    description:
      'Lists deleted items that the caller may restore, newest first: those that the caller deleted, and for administrators those of all users, except from `@Personal`.',
    example: { parameters: { q: 'reports' } },
    querystring: search.schema,
    response: { 200: ListSchema, ...listFailures(400) },
  };
  app.get('/manage/deleted', { schema: list }, ({ principal, query }) => ({
    data: bin.list(principal, search.read(query)),
  }));
  const restore = {
    tags: ['catalog'],
    summary: 'Restore a deleted item',
    operationId: 'restoreDeletedItem',
    scope: 'write',
    description:
      'Moves an item from the bin back to the catalog, with its contents, history, grants and everything in it, and with a new revision.',
    example: { parameters: { id: EXAMPLE_ID }, body: { parent_path: '@Shared', name: 'monthly' } },
    params: IdParams,
    body: restorePlace.schema,
    response: { 200: withHeaders(FolderSchema, 'etag'), ...listFailures(400, 404, 413, 415, 422) },
  };
  app.post('/manage/deleted/:id/restore', { schema: restore }, async (request, reply) => {
    const { principal, params } = request;
    const { body, revision } = bin.restore(principal, params.id, restorePlace.read(request.body));
    return reply.header('etag', printETag(revision)).send(body);
  });
  const remove = {
    tags: ['catalog'],
    summary: 'Delete an item of the bin permanently',
    operationId: 'deleteDeletedItem',
    scope: 'all',
    description: 'Deletes an item of the bin with everything in it permanently.',
    example: { parameters: { id: EXAMPLE_ID } },
    params: IdParams,
    response: { 204: NoBodySchema, ...listFailures(404) },
  };
  app.delete('/manage/deleted/:id', { schema: remove }, async ({ principal, params }, reply) => {
    await bin.delete(principal, params.id);
    return reply.code(204).send(undefined);
  });
}
