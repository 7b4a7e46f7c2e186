import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import { BackupListSchema, BackupSchema } from '../../workspace/api/backup-body.ts';
import type { BackupDownload } from '../../workspace/backup/download-backup.ts';
import type { Instance } from '../../workspace/instance/instance.ts';
import { listFailures, NoBodySchema } from '../http/error-schema.ts';
import { withHeaders } from '../http/response-headers.ts';
import type { App } from '../http/typed-app.ts';
import { printLocation } from './location.ts';

export type BackupResponse = Static<typeof BackupSchema>;
export type BackupListResponse = Static<typeof BackupListSchema>;

const EXAMPLE = { parameters: { name: 'quern-backup-2026-03-01T12-00-00-000Z.tar' } };
/** After this time, the progress has changed. */
const POLL_SECONDS = 1;
const Params = Type.Object({ name: Type.String({ description: 'Name of the backup' }) });

/** The backups of the home (docs/guides/backups.md#backups-of-the-server), below `/manage/backups`. */
export function addBackups(app: App, instance: Instance): void {
  const { backups } = instance;
  const list = {
    tags: ['operations'],
    summary: 'List backups',
    operationId: 'listBackups',
    scope: 'read',
    description:
      'Lists the backups in the folder `backups` of the home, newest first, with the one that is being written. For administrators.',
    response: { 200: BackupListSchema, ...listFailures(403) },
  };
  app.get('/manage/backups', { schema: list }, ({ principal }) => backups.list(principal));
  const create = {
    tags: ['operations'],
    summary: 'Create a backup',
    operationId: 'createBackup',
    scope: 'all',
    description:
      'Starts a backup of the whole home without the key of its secrets; the list shows its progress. Executions wait while a database is copied. For administrators.',
    response: { 202: withHeaders(BackupSchema, 'location', 'retry-after'), ...listFailures(403, 409, 503) },
  };
  app.post('/manage/backups', { schema: create }, async ({ principal }, reply) => {
    const started = await backups.start(principal);
    return reply
      .code(202)
      .header('location', printLocation('backups', started.name))
      .header('retry-after', POLL_SECONDS)
      .send(started);
  });
  addDownload(app, instance);
  const remove = {
    tags: ['operations'],
    summary: 'Delete a backup',
    operationId: 'deleteBackup',
    scope: 'all',
    description: 'Deletes a backup; one that is being written is stopped first. For administrators.',
    example: EXAMPLE,
    params: Params,
    response: { 204: NoBodySchema, ...listFailures(403, 404) },
  };
  app.delete('/manage/backups/:name', { schema: remove }, async ({ principal, params }, reply) => {
    await backups.delete(principal, params.name);
    return reply.code(204).send(undefined);
  });
}

function addDownload(app: App, { backupDownloads }: Instance): void {
  const schema = {
    tags: ['operations'],
    summary: 'Download a backup',
    operationId: 'downloadBackup',
    scope: 'all',
    description:
      'Returns the archive of a backup, which `quern admin restore` reads. In the console, only within 10 minutes after a sign-in with a password or single sign-on. For administrators.',
    example: EXAMPLE,
    params: Params,
    response: {
      200: {
        description: 'The archive',
        headers: { 'content-disposition': { type: 'string', description: 'Name of the file' } },
        content: { 'application/x-tar': { schema: Type.String({ format: 'binary' }) } },
      },
      ...listFailures(403, 404, 409),
    },
  };
  app.get('/manage/backups/:name', { schema }, async ({ method, principal, params: { name } }, reply) => {
    if (method === 'HEAD')
      setHeaders(reply, name, backupDownloads.check(principal, name)).send(Readable.from([]));
    else sendBackup(reply, name, await backupDownloads.open(principal, name));
    return reply;
  });
}

function sendBackup(reply: FastifyReply, name: string, { bytes, content, end }: BackupDownload): void {
  reply.raw.once('close', () => {
    content.destroy();
    end(reply.raw.writableFinished);
  });
  setHeaders(reply, name, bytes).send(content);
}

/** `name` is that of an existing backup. */
function setHeaders(reply: FastifyReply, name: string, bytes: number): FastifyReply {
  return reply
    .header('content-type', 'application/x-tar')
    .header('content-disposition', `attachment; filename="${name}"`)
    .header('content-length', bytes);
}
