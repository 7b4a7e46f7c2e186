import { statfsSync } from 'node:fs';
import path from 'node:path';
import type { DiskUse } from '../../engine/connection/contract/disk-limit.ts';
import { checkMayManage } from '../../identity/context/account-context.ts';
import { createAccountPermissions } from '../../identity/principal/account-permissions.ts';
import type { Principal } from '../../identity/principal/principal.ts';
import { readValues, type Settings, type SettingValues } from '../../settings/read-settings.ts';
import { SETTINGS } from '../../settings/table.ts';
import type { HealthPartBody, HomeSizesBody, ServerLimitBody, ServerStatusBody } from '../api/status-body.ts';
import { listBackupFiles } from '../backup/backup-files.ts';
import type { Home } from '../home/home.ts';
import { measureFolder } from '../home/measure-folder.ts';
import { readVersion } from '../home/package-root.ts';
import { listDiskWarnings } from '../limits/disk-warnings.ts';

/** What a running server knows about the use of its limits. */
export interface ServerUse {
  readonly running: number;
  readonly queued: number;
  readonly connections: number;
  readonly databases: readonly DiskUse[];
}

/** The sizes of the parts of a home and of its disk. */
export async function measureHome(home: Home): Promise<HomeSizesBody> {
  const { bavail, blocks, bsize } = statfsSync(home.folder);
  const withLogs = (file: string) => [file, `${file}-wal`, `${file}-shm`];
  return {
    catalog: await measureAll(withLogs(home.catalog)),
    databases: await measureFolder(path.dirname(home.duckdb)),
    results: await measureFolder(home.tmp),
    uploaded: await measureFolder(home.files),
    published: await measureFolder(home.publish),
    logs: await measureAll(withLogs(home.queries)),
    backups: await measureFolder(home.backups),
    disk: blocks * bsize,
    free: bavail * bsize,
  };
}

async function measureAll(files: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const file of files) bytes += await measureFolder(file);
  return bytes;
}

/** The limits of a server on a home; `use` is null without a server. */
export function listLimits(home: Home, settings: SettingValues, use: ServerUse | null): ServerLimitBody[] {
  const { execRunning, execQueued, maxConnections, backupsKept, execDisk } = SETTINGS;
  const limit = (
    name: ServerLimitBody['limit'],
    setting: string,
    used: number | null,
    max: number | null,
  ) => ({ limit: name, object: null, setting, used, max });
  return [
    limit('running_executions', execRunning.key, use?.running ?? null, settings.execRunning),
    limit('queued_executions', execQueued.key, use?.queued ?? null, settings.execQueued),
    limit('connections', maxConnections.key, use?.connections ?? null, settings.maxConnections || null),
    limit('backups', backupsKept.key, listBackupFiles(home).length, settings.backupsKept),
    ...(use?.databases ?? []).map(({ name, bytes, quota }) => ({
      ...limit('database_bytes', execDisk.key, bytes, Math.floor(quota)),
      object: name,
    })),
  ];
}

/** A part whose warnings are its reasons. */
export function toHealth(part: HealthPartBody['part'], warnings: readonly string[]): HealthPartBody {
  return { part, state: warnings.length === 0 ? 'ok' : 'warning', reasons: warnings };
}

/**
 * The state of a home that no server has open. Rejects with a ServiceError 403 unless the principal manages accounts,
 * and a SettingError for an invalid setting.
 */
export async function readStatusWithoutServer(
  home: Home,
  settings: Settings,
  principal: Principal,
): Promise<ServerStatusBody> {
  checkMayManage({ permissions: createAccountPermissions() }, principal);
  const values = readValues(settings);
  return {
    version: readVersion(),
    started_at: null,
    address: values.baseUrl ?? null,
    health: readHealthWithoutServer(home),
    sizes: await measureHome(home),
    limits: listLimits(home, values, null),
  };
}

/** The catalog was read. */
function readHealthWithoutServer(home: Home): readonly HealthPartBody[] {
  const unknown = { state: 'unknown', reasons: ['no server runs on this home'] } as const;
  return [
    toHealth('catalog', []),
    { part: 'engine', ...unknown },
    { part: 'log', ...unknown },
    toHealth('disk', listDiskWarnings(home.folder, [])),
  ];
}
