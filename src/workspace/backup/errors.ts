import { explainFileError } from '../../errors/explain-file-error.ts';
import { HomeError } from '../../errors/home-error.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { flagOf } from '../../settings/setting.ts';
import { SETTINGS } from '../../settings/table.ts';
import { explainMissingHome } from '../home/explain-missing-home.ts';

const NO_SPACE = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** Errors of backup and restore. */
export const backupErrors = {
  noHome: (home: string) => new HomeError('missing', explainMissingHome(home)),
  targetExists: (target: string) =>
    new ServiceError(
      409,
      'backup_file_exists',
      `there is a file ${target} already: name another, or add --force to replace it`,
    ),
  noKeyFile: (home: string) =>
    new ServiceError(
      422,
      'key_file_missing',
      `there is no secret.key in ${home} to put into the backup: omit --with-key, and keep ${SETTINGS.masterKey.variable} elsewhere`,
    ),
  otherKey: (home: string) =>
    new ServiceError(
      422,
      'key_file_mismatch',
      `the secret.key in ${home} is not the key of its secrets: omit --with-key, and keep ${SETTINGS.masterKey.variable} elsewhere`,
    ),
  damagedCatalog: (home: string, reason: string) =>
    new HomeError(
      'corrupt',
      `the catalog in ${home} is damaged (${reason}), and nothing was backed up: see \`quern admin check\``,
    ),
  keyInServedFolder: (home: string) =>
    new ServiceError(
      422,
      'key_in_served_folder',
      `the server of ${home} offers backups of this name in its folder for download: omit --with-key, or name another file`,
    ),
  /** `message` is a sentence of the driver. */
  databaseInUse: (message: string) =>
    new ServiceError(
      503,
      'database_in_use',
      `${message} Nothing was changed: end that process, or wait until it has ended`,
    ),
  database: (message: string) =>
    new ServiceError(422, 'database_not_readable', `${message} Nothing was backed up`),
  notCompacted: (database: string, message: string) =>
    new ServiceError(
      422,
      'database_not_compacted',
      `the database ${database} cannot be compacted, and nothing was changed: ${message}`,
    ),
  changedWhileRead: (file: string) =>
    new ServiceError(
      409,
      'file_changed',
      `${file} became shorter while it was read. Nothing was backed up; try again`,
    ),
  failedCheck: (target: string, reason: string) =>
    new ServiceError(
      500,
      'backup_not_restorable',
      `${target} was not written, because it could not be restored: ${reason}. Try again, and report it if it fails again`,
    ),
  homeNotEmpty: (home: string) =>
    new ServiceError(
      409,
      'home_not_empty',
      `there is something in ${home} already: name another home with ${flagOf(SETTINGS.home)}, or add --force to move it aside`,
    ),
  mountPoint: (home: string, cause: Error) =>
    new HomeError('unwritable', `${home} is a mount point and cannot be replaced: name a folder below it`, {
      cause,
    }),
  unusable: (archive: string, reason: string) =>
    new ServiceError(
      422,
      'archive_unusable',
      `${archive} cannot be restored, and nothing was changed: ${reason}`,
    ),
  full: (cause: Error) =>
    new ServiceError(503, 'disk_full', 'no space is left on the disk. Nothing was changed', { cause }),
  file(cause: Error) {
    const location = 'path' in cause ? `${cause.path}: ` : '';
    const reason = explainFileError(cause, 'there is no such file or folder');
    return new HomeError('unwritable', `${location}${reason}. Nothing was changed`, { cause });
  },
};

/** Converts a file system error to a HomeError or ServiceError; returns other errors unchanged. */
export function toFileError(error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) return error;
  return NO_SPACE.includes(String(error.code)) ? backupErrors.full(error) : backupErrors.file(error);
}

/** Thrown for an invalid archive; the message ends the sentence "cannot be restored: …". */
export class ArchiveError extends Error {}

/** Errors of an archive. */
export const archiveErrors = {
  notTar: () => new ArchiveError('it is not a tar file'),
  noBackup: () => new ArchiveError('it is not a Quern backup: it has no manifest.json'),
  truncated: () => new ArchiveError('its end is missing'),
  damaged: (reason: string) => new ArchiveError(`it is damaged: ${reason}`),
  unsafePath: (path: string) => new ArchiveError(`it has a file whose path is not allowed: ${quote(path)}`),
  notAFile: (path: string) =>
    new ArchiveError(`it has an entry that is neither a file nor a folder: ${quote(path)}`),
  twice: (path: string) => new ArchiveError(`it has a duplicate file: ${quote(path)}`),
  clash: (path: string) => new ArchiveError(`it has two entries with the same path: ${quote(path)}`),
  unknownFile: (path: string) =>
    new ArchiveError(`it has a file that its manifest does not list: ${quote(path)}`),
  missingFile: (path: string) =>
    new ArchiveError(`a file that its manifest lists is missing: ${quote(path)}`),
  changedFile: (path: string) => new ArchiveError(`a file does not match its manifest: ${quote(path)}`),
  manifest: (reason: string) => new ArchiveError(`its manifest.json is damaged: ${reason}`),
  laterFormat: (format: number, known: number) =>
    new ArchiveError(
      `its format is ${format}, and this version of Quern supports up to ${known}: use the newer Quern that wrote it`,
    ),
  laterSchema: (version: number, known: number) =>
    new ArchiveError(
      `its catalog has schema version ${version}, and this version of Quern supports up to ${known}: use the newer Quern that wrote it`,
    ),
  catalog: (reason: string) => new ArchiveError(`its catalog is damaged: ${reason}`),
};

function quote(path: string): string {
  return JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path);
}
