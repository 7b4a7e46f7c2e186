import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { DatabaseError } from '../../engine/connection/contract/connection.ts';
import { nameUnfinished, sweepUnfinished } from '../../engine/run/publish/unfinished-files.ts';
import { HomeError } from '../../errors/home-error.ts';
import { makeFolder } from '../../errors/make-folder.ts';
import { endAccess } from '../../identity/accounts/end-access.ts';
import { findMasterKey, keyFile } from '../../identity/secrets/master-key.ts';
import { openDatabase } from '../../store/database.ts';
import { syncFolder } from '../../store/files/backup.ts';
import { checkUnused } from '../../store/files/check-unused.ts';
import { lockHome } from '../../store/files/home-lock.ts';
import { type CatalogInspection, inspectCatalog, LATEST_VERSION } from '../../store/inspect-catalog.ts';
import { raiseRevisions } from '../../store/revisions.ts';
import { createFolders, homeAt, homeExists, removeFolder } from '../home/home.ts';
import { checkFiles, readBackupManifest } from './check-archive.ts';
import { DATABASES, FOLDERS, isInFolders } from './contents.ts';
import { ArchiveError, archiveErrors, backupErrors, toFileError } from './errors.ts';
import { listSources } from './list-sources.ts';
import { MANIFEST } from './manifest.ts';
import { unpack } from './unpack.ts';

/** The archive to restore, and the target home. Paths are absolute. */
export interface RestoreRequest {
  readonly archive: string;
  readonly home: string;
  /** Whether an existing home is moved aside. */
  readonly replace: boolean;
  /** Decides whether the tokens in the backup (`count`) are revoked; sessions always end. */
  readonly endTokens: (count: number) => Promise<boolean>;
  /** The setting of this name; undefined: the key file is used. */
  readonly masterKey: string | undefined;
  /** Registers a cleanup for the end of the process; returns a function that unregisters it. */
  readonly onExit: (undo: () => void) => () => void;
}

/** The result of a restore. */
export interface RestoreReport {
  readonly home: string;
  /** When the backup was made. */
  readonly created_at: string;
  readonly items: number;
  readonly users: number;
  readonly connections: number;
  readonly databases: number;
  /** Files that were uploaded or published. */
  readonly files: number;
  /** Whether the home has the key of its secrets; null: it has no secrets. */
  readonly key: boolean | null;
  /** Sessions of the console and personal access tokens that were in the backup. */
  readonly sessions_ended: number;
  readonly tokens_ended: number;
  readonly tokens_kept: number;
  /** The new path of the previous home; null: no home existed. */
  readonly moved_to: string | null;
}

/**
 * Restores the home of a backup atomically: everything is unpacked next to it and checked first. Throws ServiceError
 * 409 where the target already exists, 422 for an invalid archive; a HomeError `locked` or ServiceError 503 while
 * another process uses the home to be replaced.
 */
export async function restoreHome(request: RestoreRequest, signal: AbortSignal): Promise<RestoreReport> {
  const { archive, home } = request;
  const isTaken = existsSync(home) && !isEmptyFolder(home);
  if (isTaken && !request.replace) throw backupErrors.homeNotEmpty(home);
  const release = isTaken && homeExists(homeAt(home)) ? lockHome(home) : () => undefined;
  try {
    if (isTaken) await checkHomeUnused(home, signal);
    return await restoreAside(request, isTaken, signal);
  } catch (error) {
    if (error instanceof ArchiveError) throw backupErrors.unusable(archive, error.message);
    throw toFileError(error);
  } finally {
    release();
  }
}

function isEmptyFolder(folder: string): boolean {
  return statSync(folder).isDirectory() && readdirSync(folder).length === 0;
}

/** Commands may run on the home; a server may not. */
async function checkHomeUnused(home: string, signal: AbortSignal): Promise<void> {
  checkUnused(home);
  const { databases } = listSources(home);
  if (databases.length === 0) return;
  const { checkDatabase } = await import('../../engine/connection/duckdb/copy/check-database.ts');
  for (const { file } of databases) {
    try {
      await checkDatabase(file, signal);
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      if (error.code === 'locked') throw backupErrors.databaseInUse(error.message);
    }
  }
}

async function restoreAside(
  request: RestoreRequest,
  isTaken: boolean,
  signal: AbortSignal,
): Promise<RestoreReport> {
  const { archive, home } = request;
  const parent = path.dirname(home);
  makeFolder(parent, 0o700);
  sweepUnfinished(parent);
  const aside = nameUnfinished(parent);
  const stage = `${aside}.stage`;
  const undo = () => {
    removeFolder(aside);
    removeFolder(stage);
  };
  const forget = request.onExit(undo);
  try {
    for (const folder of [aside, stage]) mkdirSync(folder, { mode: 0o700 });
    const unpacked = await unpack(archive, aside, stage, signal);
    const manifest = readBackupManifest(unpacked, () => readFileSync(path.join(aside, MANIFEST), 'utf8'));
    checkFiles(unpacked, manifest);
    const catalog = checkCatalog(aside);
    if (isTaken) keepKey(home, aside, catalog);
    rmSync(path.join(aside, MANIFEST));
    createFolders(homeAt(aside));
    const key = catalog.keyIds.length === 0 ? null : fitsKey(aside, request.masterKey, catalog);
    raiseRevisions(aside, isTaken ? home : null, () => new Date());
    const access = await endAccessOf(aside, request.endTokens);
    syncFolder(aside);
    const movedTo = moveInPlace(aside, home, isTaken);
    const paths = [...unpacked.keys()];
    return {
      home,
      created_at: manifest.created_at,
      items: catalog.items,
      users: catalog.users,
      connections: catalog.connections,
      databases: paths.filter((name) => isInFolders(name, [DATABASES])).length,
      files: paths.filter((name) => isInFolders(name, FOLDERS)).length,
      key,
      ...access,
      moved_to: movedTo,
    };
  } finally {
    forget();
    undo();
  }
}

function checkCatalog(folder: string): CatalogInspection {
  const catalog = inspect(folder);
  const [damage] = catalog.damage;
  if (damage !== undefined) throw archiveErrors.catalog(damage);
  if (catalog.version > LATEST_VERSION) throw archiveErrors.laterSchema(catalog.version, LATEST_VERSION);
  return catalog;
}

function inspect(folder: string): CatalogInspection {
  try {
    return inspectCatalog(folder);
  } catch (error) {
    if (error instanceof HomeError && error.code === 'corrupt')
      throw archiveErrors.catalog('it cannot be read');
    throw error;
  }
}

/** A backup without a key, restored to its original home: the existing key still decrypts its secrets. */
function keepKey(from: string, to: string, catalog: CatalogInspection): void {
  if (existsSync(keyFile(to)) || catalog.keyIds.length === 0 || !fitsKey(from, undefined, catalog)) return;
  copyFileSync(keyFile(from), keyFile(to));
}

function fitsKey(folder: string, variable: string | undefined, { keyIds }: CatalogInspection): boolean {
  try {
    const key = findMasterKey({ folder, variable });
    return key !== null && keyIds.every((id) => id === key.id);
  } catch (error) {
    if (error instanceof HomeError) return false;
    throw error;
  }
}

async function endAccessOf(
  folder: string,
  endTokens: RestoreRequest['endTokens'],
): Promise<Pick<RestoreReport, 'sessions_ended' | 'tokens_ended' | 'tokens_kept'>> {
  const clock = () => new Date();
  const database = openDatabase(folder, { clock });
  try {
    const { sessionsEnded, tokensEnded, tokensKept } = await endAccess(database, clock, endTokens);
    return { sessions_ended: sessionsEnded, tokens_ended: tokensEnded, tokens_kept: tokensKept };
  } finally {
    database.close();
  }
}

/** Returns the new path of the previous home; null without one. */
function moveInPlace(aside: string, home: string, isTaken: boolean): string | null {
  const before = isTaken ? moveAside(home) : null;
  try {
    if (!isTaken && existsSync(home)) rmdirSync(home);
    renameSync(aside, home);
  } catch (error) {
    if (before !== null) renameSync(before, home);
    throw toPlaceError(error, home);
  }
  syncFolder(path.dirname(home));
  return before;
}

function moveAside(home: string): string {
  const time = new Date().toISOString().replaceAll(/[:.]/g, '-');
  const before = `${home}.before-restore-${time}`;
  try {
    renameSync(home, before);
  } catch (error) {
    throw toPlaceError(error, home);
  }
  return before;
}

/** A mount point can be neither moved nor replaced. */
function toPlaceError(error: unknown, home: string): unknown {
  const isMounted = error instanceof Error && 'code' in error && error.code === 'EBUSY';
  return isMounted ? backupErrors.mountPoint(home, error) : error;
}
