import { Type } from 'typebox';
import { OutcomeSchema, QueryEntrySchema } from '../../query-log/query-body.ts';
import type { Instance } from '../../workspace/instance/instance.ts';
import { defineFields } from '../fields/define-fields.ts';
import { text } from '../fields/kinds.ts';
import { listFailures } from '../http/error-schema.ts';
import type { App } from '../http/typed-app.ts';
import { RANGE } from './range.ts';

const ListSchema = Type.Object(
  { data: Type.Immutable(Type.Array(QueryEntrySchema)) },
  { title: 'QueryLogEntryList' },
);

const queryLogQuery = defineFields({
  user: text('User', Type.String({ description: 'User name' })),
  connection: text('Connection', Type.String()),
  outcome: text('Outcome', OutcomeSchema),
  ...RANGE,
});

/** `GET /manage/queries`: the query log, newest first. */
export function addQueries(app: App, { queries }: Instance): void {
  const schema = {
    tags: ['audit'],
    summary: 'List the query log',
    operationId: 'listQueries',
    scope: 'read',
    description: 'Lists the entries of the query log, newest first. For administrators.',
    example: { parameters: { limit: 10 } },
    querystring: queryLogQuery.schema,
    response: { 200: ListSchema, ...listFailures(400, 403) },
  };
  app.get('/manage/queries', { schema }, (request) => ({
    data: queries.list(request.principal, queryLogQuery.read(request.query)),
  }));
}
