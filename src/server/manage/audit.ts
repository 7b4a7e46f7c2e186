import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import { AuditEntrySchema } from '../../identity/audit/entry-body.ts';
import { AUDIT_FORMATS, AUDIT_HEADER, printAuditEntry } from '../../identity/audit/print-entry.ts';
import type { AuditExport } from '../../identity/context/audit-trail.ts';
import type { Instance } from '../../workspace/instance/instance.ts';
import { defineFields } from '../fields/define-fields.ts';
import { choice, text } from '../fields/kinds.ts';
import { listFailures } from '../http/error-schema.ts';
import type { App } from '../http/typed-app.ts';
import { RANGE } from './range.ts';

const ListSchema = Type.Object(
  { data: Type.Immutable(Type.Array(AuditEntrySchema)) },
  { title: 'AuditEntryList' },
);
export type AuditListResponse = Static<typeof ListSchema>;

const ActionsSchema = Type.Object(
  { data: Type.Immutable(Type.Array(Type.String({ examples: ['token.create'] }))) },
  { title: 'AuditActionList' },
);
export type AuditActionsResponse = Static<typeof ActionsSchema>;

const { limit, ...conditions } = {
  q: text(
    'Q',
    Type.String({
      description: 'Part of the actor, action, object or address, ignoring the case of ASCII letters',
    }),
  ),
  actor: text('Actor', Type.String({ description: 'User name of the actor' })),
  action: text('Action', Type.String()),
  object: text('Object', Type.String({ description: 'Part of the name of the changed object' })),
  ...RANGE,
};
const auditQuery = defineFields({ ...conditions, limit });
const exportQuery = defineFields({
  format: choice('Format', AUDIT_FORMATS, 'Format of the entries. Defaults to `csv`'),
  ...conditions,
});

const NOTHING: AuditExport = { pages: [], end: () => {} };

/** The audit log (docs/reference/audit.md), newest first, below `/manage/audit`. */
export function addAudit(app: App, instance: Instance): void {
  const { audit } = instance.accounts;
  const list = {
    tags: ['audit'],
    summary: 'List the audit log',
    operationId: 'listAuditEntries',
    scope: 'read',
    description: 'Lists the entries of the audit log, newest first. For administrators.',
    example: { parameters: { limit: 10 } },
    querystring: auditQuery.schema,
    response: { 200: ListSchema, ...listFailures(400, 403) },
  };
  app.get('/manage/audit', { schema: list }, (request) => ({
    data: audit.list(request.principal, auditQuery.read(request.query)),
  }));
  const actions = {
    tags: ['audit'],
    summary: 'List the actions of the audit log',
    operationId: 'listAuditActions',
    scope: 'read',
    description: 'Lists the actions that the audit log records. For administrators.',
    response: { 200: ActionsSchema, ...listFailures(403) },
  };
  app.get('/manage/audit/actions', { schema: actions }, ({ principal }) => ({
    data: audit.listActions(principal),
  }));
  addExport(app, instance);
}

function addExport(app: App, { accounts: { audit } }: Instance): void {
  const schema = {
    tags: ['audit'],
    summary: 'Export the audit log',
    operationId: 'exportAuditEntries',
    scope: 'read',
    description:
      'Streams all entries that meet the conditions, newest first, as CSV or JSON lines. One export runs at a time. For administrators.',
    example: { parameters: { format: 'csv', action: 'user.create' } },
    querystring: exportQuery.schema,
    response: {
      200: {
        description: 'The entries',
        headers: { 'content-disposition': { type: 'string', description: 'Name of the file' } },
        content: {
          'text/csv': { schema: Type.String() },
          'application/x-ndjson': { schema: Type.String() },
        },
      },
      ...listFailures(400, 403, 409),
    },
  };
  app.get('/manage/audit/export', { schema }, async (request, reply) => {
    const { format = 'csv', ...filter } = exportQuery.read(request.query);
    const isRead = request.method !== 'HEAD';
    sendEntries(reply, format, isRead ? audit.export(request.principal, filter) : NOTHING);
    return reply;
  });
}

/** Streams entries page by page; other requests run between the pages. */
function sendEntries(
  reply: FastifyReply,
  format: (typeof AUDIT_FORMATS)[number],
  { pages, end }: AuditExport,
): void {
  async function* printPages() {
    if (format === 'csv') yield AUDIT_HEADER;
    for (const page of pages) {
      yield page.map((entry) => printAuditEntry(entry, format)).join('');
      await setImmediate();
    }
  }
  const content = Readable.from(printPages(), { objectMode: false });
  content.once('close', end);
  reply.raw.once('close', () => content.destroy());
  reply
    .header('content-type', format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson')
    .header('content-disposition', `attachment; filename="audit.${format}"`)
    .send(content);
}
