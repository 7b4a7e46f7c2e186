import { checkMayManage } from '../../identity/context/account-context.ts';
import { createAccountPermissions } from '../../identity/principal/account-permissions.ts';
import type { Principal } from '../../identity/principal/principal.ts';
import type { SettingValues } from '../../settings/read-settings.ts';
import { SETTINGS } from '../../settings/table.ts';
import type { ServerStatusBody } from '../api/status-body.ts';
import { type BackupService, type BackupWriter, createBackupService } from '../backup/backup-service.ts';
import { type BackupDownloads, createBackupDownloads } from '../backup/download-backup.ts';
import { explainSetting, listSettings } from '../home/explain-settings.ts';
import type { Home } from '../home/home.ts';
import type { ReleaseDatabaseFiles } from '../home/release-database-files.ts';
import type { SettingBody } from '../home/setting-body.ts';
import { listDiskWarnings } from '../limits/disk-warnings.ts';
import type { Executions } from '../runs/executions.ts';
import type { Services } from '../services/services.ts';
import { listLimits, measureHome } from './home-status.ts';

/** What administrators do with the home that a server has open. */
export interface HomeCare {
  readonly backups: BackupService;
  readonly backupDownloads: BackupDownloads;
  /**
   * The sizes of the home, and the use of the limits of its server, which has `connections` open. Rejects with a
   * ServiceError 403 unless the principal manages accounts.
   */
  measure(
    principal: Principal,
    settings: SettingValues,
    connections: number,
  ): Promise<Pick<ServerStatusBody, 'sizes' | 'limits'>>;
  /** The settings with their sources, as they are now; the server has read most of them when it started. */
  listSettings(): readonly SettingBody[];
  /** Warnings about the disk for administrators; any user may read them. */
  listDiskWarnings(): readonly string[];
}

/** The care of a home that a server has open; `writer` has what the backups need in addition. */
export function createHomeCare(
  home: Home,
  services: Services,
  executions: Executions | null,
  writer: Omit<BackupWriter, 'holdFiles'>,
): HomeCare {
  const { audit, findSettings, accounts } = services;
  const findMax = () => findSettings().get(SETTINGS.backupsKept);
  const holdFiles = executions?.holdFiles ?? holdNothing;
  const { warn } = writer;
  const backups = createBackupService({ home, audit, findMax }, { ...writer, holdFiles });
  const measure = shareRuns(() => measureHome(home));
  return {
    backups,
    backupDownloads: createBackupDownloads({ home, audit, sessions: accounts.sessions, backups, warn }),
    async measure(principal, settings, connections) {
      checkMayManage({ permissions: createAccountPermissions() }, principal);
      const { running, queued } = executions?.readFigures() ?? { running: 0, queued: 0 };
      const use = { running, queued, connections, databases: executions?.readDiskUse() ?? [] };
      return { sizes: await measure(), limits: listLimits(home, settings, use) };
    },
    listSettings: () => listSettings().map((setting) => explainSetting(home.folder, findSettings(), setting)),
    listDiskWarnings: () => listDiskWarnings(home.folder, executions?.readDiskUse() ?? []),
  };
}

/** Callers during a run share its result: a home can have very many files. */
function shareRuns<T>(run: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | null = null;
  return () => {
    current ??= run().finally(() => {
      current = null;
    });
    return current;
  };
}

/** Without executions, the server has no DuckDB file open. */
const holdNothing: ReleaseDatabaseFiles = async (_waitMs, onHeld) => {
  onHeld();
  return 0;
};
