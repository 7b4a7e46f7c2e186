import { type Static, Type } from 'typebox';
import { FullRevisionSchema, RevisionSchema } from '../../catalog/history/revision-body.ts';
import { AssetSchema } from '../../catalog/item-body.ts';
import type { Instance } from '../../workspace/instance/instance.ts';
import { checkTarget } from '../catalog/check-target.ts';
import { printETag } from '../catalog/item-headers.ts';
import { IfMatchHeaders, PathParams } from '../catalog/schemas.ts';
import { sendItem } from '../catalog/send-item.ts';
import { defineFields } from '../fields/define-fields.ts';
import { queryCount, requiredCount, requiredQueryCount } from '../fields/kinds.ts';
import { listFailures, NoBodySchema } from '../http/error-schema.ts';
import { withHeaders } from '../http/response-headers.ts';
import type { App } from '../http/typed-app.ts';

/** The range of a revision in requests. */
const range = { minimum: 1, maximum: 999_999_999_999_999 };

const ListSchema = Type.Object(
  { data: Type.Immutable(Type.Array(RevisionSchema)) },
  { title: 'RevisionList' },
);

export type RevisionListResponse = Static<typeof ListSchema>;
export type RevisionResponse = Static<typeof FullRevisionSchema>;

const revisionsQuery = defineFields({
  revision: queryCount('Revision', { ...range, description: 'Returns this revision with its content' }),
  limit: queryCount('Limit', { minimum: 1, maximum: 1000, description: 'Defaults to 100' }),
  before: queryCount('Before', { ...range, description: 'Returns only earlier revisions' }),
});

const restoreBody = defineFields(
  { revision: requiredCount('Revision', { ...range, description: 'Revision with the content' }) },
  { title: 'Restore' },
);

export type RestoreBody = Static<typeof restoreBody.schema>;

const purgeQuery = defineFields({
  revision: requiredQueryCount('Revision', { ...range, description: 'Revision of a former content' }),
});

/** `GET`, `POST` and `DELETE /manage/revisions/{path}`: the history of an asset. */
export function addRevisions(app: App, instance: Instance): void {
  addList(app, instance);
  addRestore(app, instance);
  addPurge(app, instance);
}

function addList(app: App, { history }: Instance): void {
  const schema = {
    tags: ['catalog'],
    summary: 'List the revisions of an asset, or retrieve one',
    operationId: 'listRevisions',
    scope: 'read',
    description:
      'Lists the contents of an asset that the catalog keeps, the current one first. With `revision`, returns one of them with its content.',
    example: { parameters: { path: '@Shared/reports/monthly' } },
    params: PathParams,
    querystring: revisionsQuery.schema,
    response: { 200: Type.Union([ListSchema, FullRevisionSchema]), ...listFailures(400, 404, 422) },
  };
  app.get(
    '/manage/revisions/*',
    { schema, serializerCompiler: () => JSON.stringify },
    async (request, reply) => {
      const path = request.params['*'];
      const { revision, ...page } = revisionsQuery.read(request.query);
      if (revision !== undefined)
        return sendItem(request, reply, history.get(request.principal, path, revision));
      return { data: history.list(request.principal, path, page) };
    },
  );
}

function addRestore(app: App, instance: Instance): void {
  const { history } = instance;
  const schema = {
    tags: ['catalog'],
    summary: 'Restore a revision of an asset',
    operationId: 'restoreRevision',
    scope: 'write',
    description:
      'Stores the content of a revision as the next content of the asset. `If-Match` must name its current ETag.',
    example: { parameters: { path: '@Shared/reports/monthly', 'if-match': '*' }, body: { revision: 4 } },
    params: PathParams,
    headers: IfMatchHeaders,
    body: restoreBody.schema,
    response: { 200: withHeaders(AssetSchema, 'etag'), ...listFailures(400, 404, 412, 413, 415, 422, 428) },
  };
  app.post(
    '/manage/revisions/*',
    { schema, preParsing: checkTarget(instance, 'asset') },
    async (request, reply) => {
      const { body, revision } = await history.restore(
        request.principal,
        request.params['*'],
        request.headers['if-match'],
        restoreBody.read(request.body).revision,
      );
      return sendItem(request, reply.header('etag', printETag(revision)), body);
    },
  );
}

function addPurge(app: App, { history }: Instance): void {
  const schema = {
    tags: ['catalog'],
    summary: 'Purge a former content of an asset',
    operationId: 'purgeRevision',
    scope: 'all',
    description:
      'Removes a former content of an asset from the catalog permanently; its entry stays in the history. The current content cannot be purged.',
    example: { parameters: { path: '@Shared/reports/monthly', revision: 4 } },
    params: PathParams,
    querystring: purgeQuery.schema,
    response: { 204: NoBodySchema, ...listFailures(400, 404, 422, 503) },
  };
  app.delete('/manage/revisions/*', { schema }, async (request, reply) => {
    await history.purge(request.principal, request.params['*'], purgeQuery.read(request.query).revision);
    return reply.code(204).send(undefined);
  });
}
