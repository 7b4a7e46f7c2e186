import { Type } from 'typebox';
import { AuditEntrySchema } from '../../identity/audit/entry-body.ts';
import type { Instance } from '../../workspace/instance/instance.ts';
import { defineFields } from '../fields/define-fields.ts';
import { text } from '../fields/kinds.ts';
import { listFailures } from '../http/error-schema.ts';
import type { App } from '../http/typed-app.ts';
import { RANGE } from './range.ts';

const ListSchema = Type.Object(
  { data: Type.Immutable(Type.Array(AuditEntrySchema)) },
  { title: 'AuditEntryList' },
);

const auditQuery = defineFields({
  actor: text('Actor', Type.String({ description: 'User name of the actor' })),
  action: text('Action', Type.String()),
  object: text('Object', Type.String({ description: 'Part of the name of the changed object' })),
  ...RANGE,
});

/** `GET /manage/audit`: the audit log (docs/reference/audit.md), newest first. */
export function addAudit(app: App, { accounts }: Instance): void {
  const schema = {
    tags: ['audit'],
    summary: 'List the audit log',
    operationId: 'listAuditEntries',
    scope: 'read',
    description: 'Lists the entries of the audit log, newest first. For administrators.',
    example: { parameters: { limit: 10 } },
    querystring: auditQuery.schema,
    response: { 200: ListSchema, ...listFailures(400, 403) },
  };
  app.get('/manage/audit', { schema }, (request) => ({
    data: accounts.audit.list(request.principal, auditQuery.read(request.query)),
  }));
}
