import {
  createWriteStream,
  existsSync,
  linkSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { DatabaseError } from '../../engine/connection/contract/connection.ts';
import { nameUnfinished, sweepUnfinished } from '../../engine/run/publish/unfinished-files.ts';
import { findMasterKey, keyFile } from '../../identity/secrets/master-key.ts';
import { codeOf } from '../../invariants/narrow.ts';
import { syncFolder, writeBackup } from '../../store/files/backup.ts';
import { createGuard } from '../../store/files/file-errors.ts';
import { type CatalogInspection, inspectCatalog } from '../../store/inspect-catalog.ts';
import { createRunFolder, homeAt, homeExists, removeFolder } from '../home/home.ts';
import { readVersion } from '../home/package-root.ts';
import { isBackupName, nameBackup } from './backup-files.ts';
import { checkArchive } from './check-archive.ts';
import { ArchiveError, backupErrors, toFileError } from './errors.ts';
import { type BackupSource, listSources } from './list-sources.ts';
import { FORMAT } from './manifest.ts';
import { printArchive } from './print-archive.ts';

/**
 * Runs `work` while the home's server, if one runs, has no DuckDB file open.
 *
 * @internal
 */
export type HoldFiles = (work: () => Promise<void>, signal: AbortSignal) => Promise<void>;

/** The home to back up, and the target. Paths are absolute. */
interface BackupRequest {
  readonly home: string;
  /**
   * The file to write, compressed when its name ends in `.gz` or `.tgz`; or a folder, where the file gets a generated
   * name.
   */
  readonly target: string;
  /** Whether an existing file may be replaced. */
  readonly replace: boolean;
  /** Whether the key of the home's secrets goes into the backup. */
  readonly withKey: boolean;
  readonly holdFiles: HoldFiles;
  /** Registers a cleanup for the end of the process; returns a function that unregisters it. */
  readonly onExit: (undo: () => void) => () => void;
}

/** The contents of a backup. */
export interface BackupReport {
  readonly target: string;
  readonly bytes: number;
  readonly items: number;
  readonly users: number;
  readonly connections: number;
  readonly databases: number;
  /** Files that were uploaded or published. */
  readonly files: number;
  /** Whether it holds the key of secrets. */
  readonly with_key: boolean;
  /** Whether it has secrets but not their key. */
  readonly needs_key: boolean;
  /** Paths that cannot be backed up, such as links. */
  readonly left_out: readonly string[];
}

/**
 * Writes all permanent data of a home into one tar file, while others use the home. The file (0600) appears atomically,
 * after it was read and checked. The home's server releases each database while it is copied. Throws a HomeError or
 * ServiceError, 503 where another process holds a database; then no file is written.
 */
export async function backupHome(request: BackupRequest, signal: AbortSignal): Promise<BackupReport> {
  if (!homeExists(homeAt(request.home))) throw backupErrors.noHome(request.home);
  const target = findTarget(request.target);
  if (!request.replace && existsSync(target)) throw backupErrors.targetExists(target);
  if (request.withKey && isServed(request.home, target)) throw backupErrors.keyInServedFolder(request.home);
  try {
    sweepUnfinished(path.dirname(target));
    return await writeAside({ ...request, target }, signal);
  } catch (error) {
    throw toBackupError(error, target);
  }
}

function findTarget(target: string): string {
  if (statSync(target, { throwIfNoEntry: false })?.isDirectory() !== true) return target;
  return path.join(target, nameBackup(new Date()));
}

/** Whether the server of the home would offer a file for download. */
function isServed(home: string, target: string): boolean {
  const folder = path.dirname(target);
  return (
    isBackupName(path.basename(target)) &&
    existsSync(folder) &&
    realpathSync(folder) === realpathSync(homeAt(home).backups)
  );
}

/** The HomeError or ServiceError of an error while a backup was written. */
export function toBackupError(error: unknown, target: string): unknown {
  if (error instanceof ArchiveError) return backupErrors.failedCheck(target, error.message);
  return toFileError(toDatabaseError(error));
}

function toDatabaseError(error: unknown): unknown {
  if (!(error instanceof DatabaseError)) return error;
  if (error.code === 'full') return backupErrors.full(error);
  const createError = error.code === 'locked' ? backupErrors.databaseInUse : backupErrors.database;
  return createError(error.message);
}

async function writeAside(request: BackupRequest, signal: AbortSignal): Promise<BackupReport> {
  const runFolder = createRunFolder(homeAt(request.home));
  const stage = mkdtempSync(path.join(runFolder, 'backup-'));
  const aside = nameUnfinished(path.dirname(request.target));
  const undo = () => {
    rmSync(aside, { force: true });
    removeFolder(stage);
    removeWhenEmpty(runFolder);
  };
  const forget = request.onExit(undo);
  try {
    return await writeInPlace(request, { stage, aside }, signal);
  } finally {
    forget();
    undo();
  }
}

/**
 * Writes and checks an archive, then moves it to its target. The caller removes what is left at `places`. Throws as the
 * file system, the driver and `checkArchive` do.
 */
export async function writeInPlace(
  request: Omit<BackupRequest, 'onExit'>,
  places: Places,
  signal: AbortSignal,
): Promise<BackupReport> {
  const report = await writeArchive(request, places, signal);
  await checkArchive(places.aside, signal);
  putInPlace(places.aside, request.target, request.replace);
  return report;
}

/** Other operations of this process may have files there. */
function removeWhenEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    if (codeOf(error) !== 'ENOTEMPTY') throw error;
  }
}

interface Places {
  /** A folder for copies of databases, one after another. */
  readonly stage: string;
  /** The file to write, next to the target. */
  readonly aside: string;
}

async function writeArchive(
  { home, target, withKey, holdFiles }: Omit<BackupRequest, 'onExit'>,
  { stage, aside }: Places,
  signal: AbortSignal,
): Promise<BackupReport> {
  const created = new Date().toISOString();
  const sources = listSources(home);
  const catalog = copyCatalog(home, stage);
  if (withKey) checkKey(home, catalog);

  async function* listCopies(): AsyncGenerator<BackupSource> {
    yield { kind: 'file', path: 'catalog.db', file: path.join(stage, 'catalog.db') };
    if (withKey) yield { kind: 'file', path: 'secret.key', file: keyFile(home) };
    if (sources.databases.length > 0) {
      const { copyDatabase } = await import('../../engine/connection/duckdb/copy/copy-database.ts');
      for (const source of sources.databases) {
        const copy = path.join(stage, 'copy.duckdb');
        await holdFiles(() => copyDatabase(source.file, copy, signal), signal);
        yield { ...source, file: copy };
        rmSync(copy);
      }
    }
    yield* sources.files;
  }

  const head = {
    format: FORMAT,
    version: readVersion(),
    created_at: created,
    schema_version: catalog.version,
  };
  const { bytes, packed } = printArchive(listCopies(), head);
  const output = createWriteStream(aside, { flags: 'wx', mode: 0o600, flush: true });
  try {
    if (/\.t?gz$/i.test(target)) await pipeline(bytes, createGzip(), output, { signal });
    else await pipeline(bytes, output, { signal });
  } finally {
    await packed;
  }
  return {
    target,
    bytes: statSync(aside).size,
    items: catalog.items,
    users: catalog.users,
    connections: catalog.connections,
    databases: sources.databases.length,
    files: sources.files.filter(({ kind }) => kind === 'file').length,
    with_key: withKey,
    needs_key: !withKey && catalog.keyIds.length > 0,
    left_out: sources.leftOut,
  };
}

function copyCatalog(home: string, stage: string): CatalogInspection {
  createGuard(home)(() => writeBackup(homeAt(home).catalog, homeAt(stage).catalog));
  const catalog = inspectCatalog(stage);
  const [damage] = catalog.damage;
  if (damage !== undefined) throw backupErrors.damagedCatalog(home, damage);
  return catalog;
}

/** A key that does not match the secrets would be useless in the backup. */
function checkKey(home: string, { keyIds }: CatalogInspection): void {
  const key = findMasterKey({ folder: home, variable: undefined });
  if (key === null) throw backupErrors.noKeyFile(home);
  if (keyIds.some((id) => id !== key.id)) throw backupErrors.otherKey(home);
}

/** Some file systems have no links. */
const NO_LINKS = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'];

/**
 * Moves a finished file to its final path. Throws ServiceError 409 for an existing file that may not be replaced, and
 * the file system's errors.
 */
function putInPlace(aside: string, target: string, replace: boolean): void {
  if (replace || !linkInPlace(aside, target)) {
    if (!replace && existsSync(target)) throw backupErrors.targetExists(target);
    renameSync(aside, target);
  }
  syncFolder(path.dirname(target));
}

/** Unlike a rename, a link never replaces another file; returns false where links are not supported. */
function linkInPlace(aside: string, target: string): boolean {
  try {
    linkSync(aside, target);
  } catch (error) {
    const code = codeOf(error) ?? '';
    if (code === 'EEXIST') throw backupErrors.targetExists(target);
    if (!NO_LINKS.includes(code)) throw error;
    return false;
  }
  rmSync(aside);
  return true;
}
