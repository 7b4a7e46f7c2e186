import { Type } from 'typebox';
import { MaybeText, MaybeTimestamp, Timestamp } from '../../bodies/field-schemas.ts';
import { OUTCOMES as QUERY_OUTCOMES } from '../../query-log/query.ts';
import type { Instance } from '../../workspace/instance/instance.ts';
import { defineFields } from '../fields/define-fields.ts';
import { text } from '../fields/kinds.ts';
import { listFailures } from '../http/error-schema.ts';
import type { App } from '../http/typed-app.ts';
import { RANGE } from './range.ts';

const Outcome = Type.Unsafe<(typeof QUERY_OUTCOMES)[number]>({ type: 'string', enum: [...QUERY_OUTCOMES] });

const EntrySchema = Type.Object(
  {
    id: Type.String(),
    user: Type.String({ description: 'User name' }),
    token: MaybeText,
    connection: MaybeText,
    name: Type.String({ description: 'Path of a script, a package and its block, or `sql`' }),
    hash: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'SHA-256 of the source, before parameter substitution',
    }),
    text: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Source that was run, if the server is set to keep it',
    }),
    requested_at: Timestamp,
    started_at: MaybeTimestamp,
    ended_at: Timestamp,
    duration_ms: Type.Integer(),
    rows: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
    bytes: Type.Integer({ description: 'Bytes of the response, before compression' }),
    outcome: Outcome,
    fault: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Error message of a failed execution',
      examples: ['sql'],
    }),
    address: MaybeText,
    request_id: MaybeText,
  },
  { title: 'QueryLogEntry' },
);

const ListSchema = Type.Object(
  { data: Type.Immutable(Type.Array(EntrySchema)) },
  { title: 'QueryLogEntryList' },
);

const queryLogQuery = defineFields({
  user: text('User', Type.String({ description: 'User name' })),
  connection: text('Connection', Type.String()),
  outcome: text('Outcome', Outcome),
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
