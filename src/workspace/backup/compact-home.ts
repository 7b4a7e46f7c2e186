import {
  chmodSync,
  closeSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { DatabaseError } from '../../engine/connection/contract/connection.ts';
import { nameUnfinished, sweepUnfinished } from '../../engine/run/publish/unfinished-files.ts';
import { syncFolder } from '../../store/files/backup.ts';
import { createRunFolder, homeAt, homeExists, removeFolder } from '../home/home.ts';
import { backupErrors, toFileError } from './errors.ts';
import { type BackupSource, listSources } from './list-sources.ts';
import { withFilesHeld } from './with-files-held.ts';

/** The home to compact, and how long executions on its server may take to end. */
export interface CompactRequest {
  readonly home: string;
  readonly waitMs: number;
  /** Called when waiting for executions starts, with the maximum wait in seconds. */
  readonly onWait: (seconds: number) => void;
  /** Registers a cleanup for the end of the process; returns a function that unregisters it. */
  readonly onExit: (undo: () => void) => () => void;
}

/** File sizes of a database in bytes; `database` is its path in the home. */
export interface CompactReport {
  readonly database: string;
  readonly before: number;
  readonly after: number;
}

/**
 * Copies each database of a home to a new file without free space, one after another; the home's server releases its
 * databases meanwhile. Each file is replaced atomically. Throws a HomeError or ServiceError, 503 where another process
 * holds a database.
 */
export async function compactHome(
  request: CompactRequest,
  signal: AbortSignal,
): Promise<readonly CompactReport[]> {
  const home = homeAt(request.home);
  if (!homeExists(home)) throw backupErrors.noHome(request.home);
  const { waitMs, onWait } = request;
  const reports: CompactReport[] = [];
  const temp = createRunFolder(home);
  try {
    for (const source of listSources(request.home).databases) {
      const hold = { home, waitMs, onWait, signal };
      reports.push(await withFilesHeld(hold, () => compactOne(source, temp, request, signal)));
    }
    return reports;
  } finally {
    removeFolder(temp);
  }
}

function toServiceError(error: unknown, database: string): unknown {
  if (!(error instanceof DatabaseError) || error.code === 'cancelled') return error;
  if (error.code === 'full') return backupErrors.full(error);
  if (error.code === 'locked') return backupErrors.databaseInUse(error.message);
  return backupErrors.notCompacted(database, error.message);
}

async function compactOne(
  source: BackupSource,
  temp: string,
  { onExit }: CompactRequest,
  signal: AbortSignal,
): Promise<CompactReport> {
  const { compactDatabase } = await import('../../engine/connection/duckdb/copy/compact-database.ts');
  const file = realpathSync(source.file);
  sweepUnfinished(path.dirname(file));
  const target = nameUnfinished(path.dirname(file));
  const undo = () => {
    for (const ending of ['', '.wal']) rmSync(`${target}${ending}`, { force: true });
  };
  const forget = onExit(undo);
  try {
    const swap = () => putInPlace(target, file);
    return { database: source.path, ...(await compactDatabase({ file, target, temp, swap, signal })) };
  } catch (error) {
    throw toFileError(toServiceError(error, source.path));
  } finally {
    forget();
    undo();
  }
}

function putInPlace(target: string, file: string): void {
  chmodSync(target, statSync(file).mode & 0o777);
  const opened = openSync(target, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
  renameSync(target, file);
  syncFolder(path.dirname(file));
}
