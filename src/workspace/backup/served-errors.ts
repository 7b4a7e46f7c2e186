import { ServiceError } from '../../errors/service-error.ts';
import { SETTINGS } from '../../settings/table.ts';
import { printBytes } from '../../text/print-bytes.ts';

/** Why the server did not write a backup, for administrators. */
export class BackupFailure extends Error {}

/** Errors of the backups of a server. */
export const servedBackupErrors = {
  notFound: (name: string) => new ServiceError(404, 'backup_not_found', `Backup not found: ${name}`),
  alreadyRunning: (name: string) =>
    new ServiceError(
      409,
      'backup_running',
      `The backup ${name} is being written: wait until it has ended, or delete it`,
    ),
  tooMany: (kept: number, max: number, oldest: string) =>
    new ServiceError(
      409,
      'too_many_backups',
      `There are ${kept} backups, and \`${SETTINGS.backupsKept.key}\` allows only ${max}: delete the oldest, ${oldest}`,
    ),
  /** Sizes are in bytes. */
  tooLittleSpace: (folder: 'backups' | 'tmp', needed: number, free: number) =>
    new ServiceError(
      503,
      'disk_full',
      `The backup needs ${printBytes(needed)} on the disk with the folder \`${folder}\` of the home, and ${printBytes(free)} are free: free up disk space, or delete a backup. Nothing was changed`,
    ),
  closing: () => new ServiceError(503, 'server_stopping', 'The server is stopping', { retryAfter: 1 }),
  stopped: () => new BackupFailure('it was stopped before it had ended. Nothing was backed up'),
  processLost: () =>
    new BackupFailure('the process that wrote it ended unexpectedly. Nothing was backed up; try again'),
  internal: () =>
    new BackupFailure('an internal error occurred, which the server log has. Nothing was backed up'),
  notHeld: (running: number, seconds: number) =>
    new BackupFailure(
      running > 0
        ? `after ${seconds} s, ${running} ${running === 1 ? 'execution still runs' : 'executions still run'}. Nothing was backed up: try again when they have ended`
        : `after ${seconds} s, another process still holds the databases. Nothing was backed up: try again later`,
    ),
  signInAgain: () =>
    new ServiceError(
      403,
      'recent_sign_in_required',
      'A backup has the data of all users: sign in again, with a password or single sign-on, and download it within 10 minutes',
    ),
};
