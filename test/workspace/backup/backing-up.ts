import { type BackupReport, backupHome, type HoldFiles } from '../../../src/workspace/backup/backup-home.ts';
import { type RestoreReport, restoreHome } from '../../../src/workspace/backup/restore-home.ts';
import { withFilesHeld } from '../../../src/workspace/backup/with-files-held.ts';
import { homeAt } from '../../../src/workspace/home/home.ts';

const { signal } = new AbortController();
const onExit = () => () => undefined;

/** Backs up a home, without its key by default. */
export function backUp(home: string, target: string, options: object = {}): Promise<BackupReport> {
  const holdFiles: HoldFiles = (work, whenEnded) =>
    withFilesHeld({ home: homeAt(home), waitMs: 60_000, onWait: () => {}, signal: whenEnded }, work);
  const request = { home, target, replace: false, withKey: false, holdFiles, onExit };
  return backupHome({ ...request, ...options }, signal);
}

/** Restores a backup to a free path by default. */
export function restore(archive: string, home: string, options: object = {}): Promise<RestoreReport> {
  const endTokens = async () => false;
  const request = { archive, home, replace: false, endTokens, masterKey: undefined, onExit };
  return restoreHome({ ...request, ...options }, signal);
}
