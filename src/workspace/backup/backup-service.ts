import { existsSync, mkdirSync, statfsSync, statSync } from 'node:fs';
import path from 'node:path';
import type { AuditLog } from '../../identity/audit/audit.ts';
import { checkMayManage, checkMayWrite } from '../../identity/context/account-context.ts';
import { createAccountPermissions } from '../../identity/principal/account-permissions.ts';
import type { Principal } from '../../identity/principal/principal.ts';
import { printTrace } from '../../invariants/narrow.ts';
import type { BackupBody, BackupListBody } from '../api/backup-body.ts';
import type { Home } from '../home/home.ts';
import { measureFolder } from '../home/measure-folder.ts';
import type { ReleaseDatabaseFiles } from '../home/release-database-files.ts';
import {
  type BackupFile,
  listBackupFiles,
  nameBackup,
  nameServedBackup,
  removeBackupFile,
} from './backup-files.ts';
import { runBackup } from './run-backup.ts';
import { BackupFailure, servedBackupErrors } from './served-errors.ts';

/** The backups in the folder of a home, for administrators (docs/guides/backups.md#backups-of-the-server). */
export interface BackupService {
  /** Newest first. Throws 403 unless the caller manages accounts. */
  list(principal: Principal): BackupListBody;
  /**
   * Starts a backup; `list` shows its progress. Rejects with 403 as above, 409 while another one is written and when
   * there are too many, and 503 `disk_full` without the space for it.
   */
  start(principal: Principal): Promise<BackupBody>;
  /** Whether the backup with this name is being written. */
  isRunning(name: string): boolean;
  /** Deletes a backup; one that is being written is stopped first. Throws 403 as above, and 404. */
  delete(principal: Principal, name: string): Promise<void>;
  /** Stops a backup that is being written. */
  close(): Promise<void>;
}

/** What the backups of a home need of its services. */
export interface BackupContext {
  readonly home: Home;
  readonly audit: AuditLog;
  readonly findMax: () => number;
}

/** What writes backups while a server runs. */
export interface BackupWriter {
  readonly holdFiles: ReleaseDatabaseFiles;
  /** Receives internal errors. */
  readonly warn: (line: string) => void;
  /** The free bytes of the disk with a folder. */
  readonly readFree?: ((folder: string) => number) | undefined;
}

const PERMISSIONS = { permissions: createAccountPermissions() };

/** Free space that stays for others, in bytes, and what an archive has in addition to its files. */
const SPARE_BYTES = 16 * 1024 ** 2;

/** The last backup that this process began. */
interface Begun {
  readonly name: string;
  readonly createdAt: string;
  readonly aside: string;
  readonly stopping: AbortController;
  expectedBytes: number;
  /** Null while it is being written. */
  error: string | null;
  /** Settles at its end; never rejects. */
  ended: Promise<void>;
}

/** Lists the backups of a home without a server. Throws 403 unless the caller manages accounts. */
export function listBackups({ home, findMax }: BackupContext, principal: Principal): BackupListBody {
  checkMayManage(PERMISSIONS, principal);
  return { data: listBackupFiles(home).map(toBody), max: findMax() };
}

/** Deletes a backup of a home. Throws 403 unless the caller manages accounts, and 404. */
export function deleteBackup({ home, audit }: BackupContext, principal: Principal, name: string): void {
  checkMayWrite(PERMISSIONS, principal);
  removeBackupFile(home, name);
  audit.record(principal, { action: 'backup.delete', object: name });
}

/** The backups of a home that a server has open. */
export function createBackupService(context: BackupContext, writer: BackupWriter): BackupService {
  const { home, audit, findMax } = context;
  const { holdFiles, warn, readFree = readFreeBytes } = writer;
  let begun: Begun | null = null;
  let isClosed = false;

  async function write({ name, aside, stopping }: Begun): Promise<string | null> {
    const target = path.join(home.backups, name);
    try {
      await runBackup({ home, target, aside, holdFiles, signal: stopping.signal });
      return null;
    } catch (error) {
      if (error instanceof BackupFailure) return error.message;
      warn(`a backup failed: ${printTrace(error)}`);
      return servedBackupErrors.internal().message;
    }
  }

  async function writeAndRecord(principal: Principal, started: Begun): Promise<void> {
    const error = await write(started);
    started.error = error;
    if (error === null) begun = null;
    const object = `${started.name}: ${error === null ? 'done' : 'failed'}`;
    try {
      audit.record(principal, { action: 'backup.create', object });
    } catch (thrown) {
      warn(`the end of a backup was not recorded: ${printTrace(thrown)}`);
    }
  }

  return {
    list: (principal) => {
      const listed = listBackups(context, principal);
      if (begun === null) return listed;
      // The file can be in place shortly before the process has ended.
      const others = listed.data.filter(({ name }) => name !== begun?.name);
      return { ...listed, data: [printBegun(begun), ...others] };
    },
    async start(principal) {
      checkMayWrite(PERMISSIONS, principal);
      if (isClosed) throw servedBackupErrors.closing();
      if (begun?.error === null) throw servedBackupErrors.alreadyRunning(begun.name);
      checkNumber(home, findMax());
      const started = begin(home);
      begun = started;
      try {
        started.expectedBytes = await checkSpace(home, readFree);
        if (isClosed) throw servedBackupErrors.closing();
        audit.record(principal, { action: 'backup.create', object: `${started.name}: started` });
      } catch (error) {
        begun = null;
        throw error;
      }
      started.ended = writeAndRecord(principal, started);
      return printBegun(started);
    },
    isRunning: (name) => begun?.name === name && begun.error === null,
    async delete(principal, name) {
      if (begun?.name !== name) return deleteBackup(context, principal, name);
      checkMayWrite(PERMISSIONS, principal);
      const stopped = begun;
      stopped.stopping.abort();
      await stopped.ended;
      // It may have been done before it was stopped.
      if (existsSync(path.join(home.backups, name))) removeBackupFile(home, name);
      if (begun === stopped) begun = null;
      audit.record(principal, { action: 'backup.delete', object: name });
    },
    async close() {
      isClosed = true;
      begun?.stopping.abort();
      await begun?.ended;
    },
  };
}

function begin(home: Home): Begun {
  const now = new Date();
  return {
    name: nameBackup(now),
    createdAt: now.toISOString(),
    aside: nameServedBackup(home),
    stopping: new AbortController(),
    expectedBytes: 0,
    error: null,
    ended: Promise.resolve(),
  };
}

function checkNumber(home: Home, max: number): void {
  const files = listBackupFiles(home);
  const oldest = files.at(-1);
  if (oldest !== undefined && files.length >= max)
    throw servedBackupErrors.tooMany(files.length, max, oldest.name);
}

/** The maximum size of a backup. Throws 503 unless its disk has room for it, and the disk of the home for the copies. */
async function checkSpace(home: Home, readFree: (folder: string) => number): Promise<number> {
  for (const folder of [home.backups, home.tmp]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const catalog = (await measureFolder(home.catalog)) + (await measureFolder(`${home.catalog}-wal`));
  const databases = await measureFolder(path.dirname(home.duckdb));
  const files = (await measureFolder(home.files)) + (await measureFolder(home.publish));
  const archive = catalog + databases + files;
  // Until they are in the archive, the catalog and each database are copied.
  const copies = catalog + databases;
  const isOneDisk = statSync(home.backups).dev === statSync(home.tmp).dev;
  const needs = isOneDisk
    ? ([['backups', archive + copies]] as const)
    : ([
        ['backups', archive],
        ['tmp', copies],
      ] as const);
  for (const [folder, bytes] of needs) {
    const free = readFree(home[folder]);
    if (free < bytes + SPARE_BYTES)
      throw servedBackupErrors.tooLittleSpace(folder, bytes + SPARE_BYTES, free);
  }
  return archive;
}

function readFreeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

function toBody({ name, createdAt, bytes }: BackupFile): BackupBody {
  return { name, state: 'done', created_at: createdAt, bytes, expected_bytes: null, error: null };
}

function printBegun({ name, createdAt, aside, expectedBytes, error }: Begun): BackupBody {
  const isRunning = error === null;
  return {
    name,
    state: isRunning ? 'running' : 'failed',
    created_at: createdAt,
    bytes: isRunning ? (statSync(aside, { throwIfNoEntry: false })?.size ?? 0) : 0,
    expected_bytes: isRunning ? expectedBytes : null,
    error,
  };
}
