import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { BackupListResponse, BackupResponse } from '../../../src/server/manage/backups.ts';
import type { ServerStatusResponse } from '../../../src/server/manage/server.ts';
import { exchangeBytes, request } from '../request.ts';
import { getCsrfToken } from '../session.ts';

/** The state of the server and of its home. */
export type ServerStatus = ServerStatusResponse;

/** A backup in the home of the server. */
export type ListedBackup = BackupResponse;

const BACKUPS = 'manage/backups';

/** Milliseconds between two readings of what changes by itself. */
const STATUS_MS = 10_000;
const PROGRESS_MS = 1_000;

/** The state of the server; for administrators. */
export const serverQuery = queryOptions({
  queryKey: ['manage/server'],
  queryFn: ({ signal }) => request<ServerStatusResponse>('manage/server', { signal }),
  refetchInterval: STATUS_MS,
});

/** The backups, newest first; read again while one is being written. */
export const backupsQuery = queryOptions({
  queryKey: [BACKUPS],
  queryFn: ({ signal }) => request<BackupListResponse>(BACKUPS, { signal }),
  refetchInterval: ({ state }) =>
    state.data?.data.some((backup) => backup.state === 'running') === true ? PROGRESS_MS : false,
});

async function reload(client: QueryClient): Promise<void> {
  await Promise.all([[BACKUPS], ['manage/server']].map((queryKey) => client.invalidateQueries({ queryKey })));
}

/** Starts a backup. */
export async function startBackup(client: QueryClient): Promise<void> {
  await request<BackupResponse>(BACKUPS, { method: 'POST', csrfToken: getCsrfToken(client) });
  await reload(client);
}

/** Deletes a backup; one that is being written is stopped. */
export async function deleteBackup(client: QueryClient, name: string): Promise<void> {
  await request(toPath(name), { method: 'DELETE', csrfToken: getCsrfToken(client) });
  await reload(client);
}

/** Rejects with an ApiError for a backup that cannot be downloaded now: 403 without a recent sign-in. */
export async function checkDownload(name: string): Promise<void> {
  await exchangeBytes(toPath(name), { method: 'HEAD' });
}

/** The address of a backup as a file. */
export function printDownloadAddress(name: string): string {
  return `/console/api/${toPath(name)}`;
}

function toPath(name: string): string {
  return `${BACKUPS}/${encodeURIComponent(name)}`;
}
