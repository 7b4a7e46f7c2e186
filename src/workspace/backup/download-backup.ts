import { constants, type ReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { AuditLog } from '../../identity/audit/audit.ts';
import { checkMayManage, checkScope } from '../../identity/context/account-context.ts';
import { createAccountPermissions } from '../../identity/principal/account-permissions.ts';
import type { Principal } from '../../identity/principal/principal.ts';
import type { SessionService } from '../../identity/sessions/sessions.ts';
import { printTrace } from '../../invariants/narrow.ts';
import type { Home } from '../home/home.ts';
import { getBackupFile } from './backup-files.ts';
import type { BackupService } from './backup-service.ts';
import { servedBackupErrors } from './served-errors.ts';

/** A finished backup that is about to be sent. */
export interface BackupDownload {
  readonly bytes: number;
  readonly content: ReadStream;
  /** Records the end, once; `isComplete`: all bytes were sent. */
  readonly end: (isComplete: boolean) => void;
}

/** Downloads of backups, for administrators (docs/guides/backups.md#backups-of-the-server). */
export interface BackupDownloads {
  /**
   * The size of a backup that the caller may download now. Throws 403 unless the caller manages accounts, with the
   * scope `all`, or in a session that began a short time ago; 409 for a backup that is being written, and 404 for every
   * other name but that of a finished one.
   */
  check(principal: Principal, name: string): number;
  /** Opens a backup, and records that its download begins. Rejects as `check` throws. */
  open(principal: Principal, name: string): Promise<BackupDownload>;
  /** Records the end of all downloads. */
  close(): void;
}

interface DownloadContext {
  readonly home: Home;
  readonly audit: AuditLog;
  readonly sessions: Pick<SessionService, 'isRecent'>;
  readonly backups: Pick<BackupService, 'isRunning'>;
  /** Receives internal errors. */
  readonly warn: (line: string) => void;
}

const PERMISSIONS = { permissions: createAccountPermissions() };
const CHUNK_BYTES = 256 * 1024;

/** The downloads of the backups of a home. */
export function createBackupDownloads({
  home,
  audit,
  sessions,
  backups,
  warn,
}: DownloadContext): BackupDownloads {
  const running = new Set<BackupDownload>();

  function check(principal: Principal, name: string) {
    checkScope(principal, 'all');
    checkMayManage(PERMISSIONS, principal);
    if (backups.isRunning(name)) throw servedBackupErrors.alreadyRunning(name);
    const found = getBackupFile(home, name);
    if (!sessions.isRecent(principal)) throw servedBackupErrors.signInAgain();
    return found;
  }

  async function openFile(name: string, file: string): Promise<FileHandle> {
    try {
      return await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
    } catch (error) {
      // It was deleted meanwhile.
      getBackupFile(home, name);
      throw error;
    }
  }

  return {
    check: (principal, name) => check(principal, name).bytes,
    async open(principal, name) {
      const handle = await openFile(name, check(principal, name).file);
      const { size } = await handle.stat();
      const note = (text: string) =>
        audit.record(principal, { action: 'backup.download', object: `${name}: ${text}` });
      const tryToNote = (text: string) => {
        try {
          note(text);
        } catch (error) {
          warn(`the end of a download was not recorded: ${printTrace(error)}`);
        }
      };
      note('started');
      // With its end, the stream ends right after the last byte: a client may leave when it has all.
      const content = handle.createReadStream({
        highWaterMark: CHUNK_BYTES,
        start: 0,
        end: Math.max(size - 1, 0),
      });
      const download: BackupDownload = {
        bytes: size,
        content,
        end(isComplete) {
          if (!running.delete(download)) return;
          tryToNote(
            isComplete ? `complete, ${size} bytes` : `incomplete, ${content.bytesRead} of ${size} bytes`,
          );
        },
      };
      running.add(download);
      return download;
    },
    close() {
      for (const download of running) download.end(false);
    },
  };
}
