import { HomeError } from '../../errors/home-error.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { flagOf } from '../../settings/setting.ts';
import { SETTINGS } from '../../settings/table.ts';

const NO_SPACE = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** Why a backup is not made, or not restored. */
export const backupErrors = {
  noHome: (home: string) => new HomeError('missing', `there is no home in ${home}: run \`quern init\``),
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
      `there is no secret.key in ${home} that could be put into the backup: leave --with-key out, and keep ${SETTINGS.masterKey.variable} elsewhere`,
    ),
  otherKey: (home: string) =>
    new ServiceError(
      422,
      'key_file_mismatch',
      `the secret.key in ${home} is not the key of its secrets: leave --with-key out, and keep ${SETTINGS.masterKey.variable} elsewhere`,
    ),
  damagedCatalog: (home: string, fault: string) =>
    new HomeError(
      'corrupt',
      `the catalog in ${home} is damaged (${fault}), and nothing was backed up: see \`quern admin check\``,
    ),
  /** `message` is the driver's, a sentence. */
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
  homeNotEmpty: (home: string) =>
    new ServiceError(
      409,
      'home_not_empty',
      `there is something in ${home} already: name another home with ${flagOf(SETTINGS.home)}, or add --force to move it aside`,
    ),
  mountPoint: (home: string, cause: Error) =>
    new HomeError('unwritable', `${home} cannot be put in place as a whole: name a folder below it`, {
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
  /** The cause names the file. */
  file: (cause: Error) => new HomeError('unwritable', `nothing was changed: ${cause.message}`, { cause }),
};

/** What the system says of a file, as a refusal; anything else comes back as it is. */
export function toFileError(error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) return error;
  return NO_SPACE.includes(String(error.code)) ? backupErrors.full(error) : backupErrors.file(error);
}

/** Something is wrong with an archive; the message ends the sentence "cannot be restored: …". */
export class ArchiveFault extends Error {}

/** What can be wrong with an archive. */
export const archiveFaults = {
  notTar: () => new ArchiveFault('it is no tar file'),
  noBackup: () => new ArchiveFault('it is no backup of Quern: it has no manifest.json'),
  truncated: () => new ArchiveFault('its end is missing'),
  damaged: (reason: string) => new ArchiveFault(`it is damaged: ${reason}`),
  unsafePath: (path: string) => new ArchiveFault(`it has a file whose path is not allowed: ${quote(path)}`),
  notAFile: (path: string) =>
    new ArchiveFault(`it has something that is neither a file nor a folder: ${quote(path)}`),
  twice: (path: string) => new ArchiveFault(`it has a file twice: ${quote(path)}`),
  clash: (path: string) => new ArchiveFault(`it has two things in the same place: ${quote(path)}`),
  unknownFile: (path: string) =>
    new ArchiveFault(`it has a file that its manifest does not name: ${quote(path)}`),
  missingFile: (path: string) =>
    new ArchiveFault(`a file is missing that its manifest names: ${quote(path)}`),
  changedFile: (path: string) => new ArchiveFault(`a file is not as its manifest says: ${quote(path)}`),
  manifest: (reason: string) => new ArchiveFault(`its manifest.json is damaged: ${reason}`),
  laterFormat: (format: number, known: number) =>
    new ArchiveFault(
      `its format is ${format}, and this version of Quern knows up to ${known}: use the newer Quern that wrote it`,
    ),
  laterSchema: (version: number, known: number) =>
    new ArchiveFault(
      `its catalog has schema version ${version}, and this version of Quern knows up to ${known}: use the newer Quern that wrote it`,
    ),
  catalog: (fault: string) => new ArchiveFault(`its catalog is damaged: ${fault}`),
};

function quote(path: string): string {
  return JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path);
}
