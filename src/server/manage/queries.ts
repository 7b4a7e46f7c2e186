import { Type } from 'typebox';
import { readString, toFields } from '../../errors/fields.ts';
import { QUERY_OUTCOMES } from '../../workspace/api/query-outcomes.ts';
import type { QueryFilter } from '../../workspace/api/workspace-api.ts';
import { listFailures } from '../http/error-schema.ts';
import type { App } from '../http/typed-app.ts';
import { RANGE_QUERY, readRange } from './range.ts';
import { MaybeText, MaybeTimestamp, Timestamp } from './schemas.ts';

const Outcome = Type.Unsafe<(typeof QUERY_OUTCOMES)[number]>({ type: 'string', enum: [...QUERY_OUTCOMES] });

const EntrySchema = Type.Object(
  {
    id: Type.String(),
    user: Type.String({ description: 'User name' }),
    token: MaybeText,
    connection: MaybeText,
    name: Type.String({ description: 'The path of a script, a package and its block, or `sql`' }),
    hash: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'SHA-256 of what was run, before parameters were put in',
    }),
    text: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'What was run, where the server keeps it',
    }),
    requested_at: Timestamp,
    started_at: MaybeTimestamp,
    ended_at: Timestamp,
    duration_ms: Type.Integer(),
    rows: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
    bytes: Type.Integer({ description: 'Of the answer, before compression' }),
    outcome: Outcome,
    fault: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Of what failed',
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

const QueryLogQuery = Type.Object({
  user: Type.Optional(Type.String({ description: 'A user name' })),
  connection: Type.Optional(Type.String()),
  outcome: Type.Optional(Outcome),
  ...RANGE_QUERY,
});

/** `GET /manage/queries`: the query log, newest first. */
export function addQueries(app: App): void {
  const schema = {
    tags: ['audit'],
    summary: 'List what was run, newest first',
    querystring: QueryLogQuery,
    response: { 200: ListSchema, ...listFailures(400, 403) },
  };
  app.get('/manage/queries', { schema }, async (request) => ({
    data: await request.api.queries.list(readFilter(request.query)),
  }));
}

function readFilter(query: unknown): QueryFilter {
  const fields = toFields(query);
  return {
    user: readString(fields, 'user', 'User'),
    connection: readString(fields, 'connection', 'Connection'),
    outcome: readString(fields, 'outcome', 'Outcome'),
    ...readRange(fields),
  };
}
