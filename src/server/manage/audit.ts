import { Type } from 'typebox';
import { readString, toFields } from '../../errors/fields.ts';
import type { AuditFilter } from '../../workspace/api/accounts-api.ts';
import { listFailures } from '../http/error-schema.ts';
import type { App } from '../http/typed-app.ts';
import { RANGE_QUERY, readRange } from './range.ts';
import { MaybeText, Timestamp } from './schemas.ts';

const EntrySchema = Type.Object(
  {
    id: Type.String(),
    at: Timestamp,
    actor: MaybeText,
    token: MaybeText,
    action: Type.String({ examples: ['token.create'] }),
    object: MaybeText,
    result: Type.Enum(['done', 'refused']),
    address: MaybeText,
    request_id: MaybeText,
  },
  { title: 'AuditEntry' },
);

const ListSchema = Type.Object(
  { data: Type.Immutable(Type.Array(EntrySchema)) },
  { title: 'AuditEntryList' },
);

const AuditQuery = Type.Object({
  actor: Type.Optional(Type.String({ description: 'A user name' })),
  action: Type.Optional(Type.String()),
  object: Type.Optional(Type.String({ description: 'A part of what something was done to' })),
  ...RANGE_QUERY,
});

/** `GET /manage/audit`: the audit log (identity 1), newest first. */
export function addAudit(app: App): void {
  const schema = {
    tags: ['audit'],
    summary: 'List what was done, newest first',
    querystring: AuditQuery,
    response: { 200: ListSchema, ...listFailures(400, 403) },
  };
  app.get('/manage/audit', { schema }, async (request) => ({
    data: await request.api.accounts.audit.list(readFilter(request.query)),
  }));
}

function readFilter(query: unknown): AuditFilter {
  const fields = toFields(query);
  return {
    actor: readString(fields, 'actor', 'Actor'),
    action: readString(fields, 'action', 'Action'),
    object: readString(fields, 'object', 'Object'),
    ...readRange(fields),
  };
}
