import { type Static, Type } from 'typebox';
import { FoundListSchema } from '../../catalog/item-body.ts';
import type { Instance } from '../../workspace/instance/instance.ts';
import { defineFields } from '../fields/define-fields.ts';
import { filledText, queryCount } from '../fields/kinds.ts';
import { listFailures } from '../http/error-schema.ts';
import type { App } from '../http/typed-app.ts';

export type FoundListResponse = Static<typeof FoundListSchema>;

const searchText = { minLength: 1, maxLength: 200 };

const searchQuery = defineFields({
  name: filledText(
    'Name',
    Type.String({ ...searchText, description: 'Part of a name; requires no content' }),
  ),
  content: filledText(
    'Content',
    Type.String({ ...searchText, description: 'Part of a line of a script; requires no name' }),
  ),
  limit: queryCount('Limit', { minimum: 1, maximum: 200, description: 'Defaults to 50' }),
});

/** `GET /manage/search`: searches the catalog by name or by content, without regard to case. */
export function addSearch(app: App, { catalog }: Instance): void {
  const schema = {
    tags: ['catalog'],
    summary: 'Search the catalog by name or content',
    operationId: 'searchCatalog',
    scope: 'read',
    description:
      'Searches the catalog by a part of a name, or of a line of a script, without regard to case. Finds only what the caller may view.',
    example: { parameters: { name: 'month' } },
    querystring: searchQuery.schema,
    response: { 200: FoundListSchema, ...listFailures(400) },
  };
  app.get('/manage/search', { schema }, (request) =>
    catalog.search(request.principal, searchQuery.read(request.query)),
  );
}
