import { readdirSync, statfsSync, statSync } from 'node:fs';
import path from 'node:path';
import type { ConnectionSpec, Sandbox } from '../../engine/connection/contract/connection.ts';
import { type DiskLimit, toQuota } from '../../engine/connection/contract/disk-limit.ts';
import type { ExecutionOutcome } from '../../execution/contract/outcome.ts';
import type { ExecutionRequest } from '../../execution/contract/request.ts';
import { printMegabytes } from '../../settings/amounts.ts';
import type { Home } from '../home/home.ts';
import type { ExecutionFolders } from './collect-work.ts';

/** The restrictions of callers' SQL on this machine (docs/reference/server-sql.md): memory and disk are shared. */
function createSandbox(
  { files, staging }: Home,
  temp: string,
  memory: number,
  diskLimit: DiskLimit,
): Sandbox {
  const { bavail, bsize } = statfsSync(temp);
  const free = bavail * bsize;
  const maxTempSize = printMegabytes(Math.min(free / 2, toQuota(diskLimit, 0, free)));
  return { files, staging, temp, memoryLimit: printMegabytes(memory), maxTempSize, diskLimit };
}

/** The folders where executions of a home may write. */
function planFolders(home: Home, runFolder: string, disk: DiskLimit): ExecutionFolders {
  const publishBytes = planPublished(home, disk);
  return { spoolDirectory: runFolder, publishDirectory: home.publish, publishBytes };
}

/** The folders and limits of this process. */
export interface Confines {
  readonly folders: ExecutionFolders;
  readonly sandbox: Sandbox;
}

/** The folders and limits of a process with the temporary folder `runFolder`; `memory` is that of a database, in bytes. */
export function planConfines(home: Home, runFolder: string, memory: number, disk: DiskLimit): Confines {
  return {
    folders: planFolders(home, runFolder, disk),
    sandbox: createSandbox(home, runFolder, memory, disk),
  };
}

/** Converts a request that was collected without restrictions: it uses the folders of this process. */
export function confine(request: ExecutionRequest, { folders, sandbox }: Confines): ExecutionRequest {
  const { connection, limits, format } = request;
  const spill = connection.kind === 'duckdb' ? { temp_directory: folders.spoolDirectory } : {};
  const options = { ...connection.options, ...spill };
  // The engine writes parquet itself, into a folder that the sandbox allows.
  const spoolDirectory = format === 'parquet' ? sandbox.staging : folders.spoolDirectory;
  return {
    ...request,
    connection: { ...connection, options, sandbox },
    limits: { ...limits, ...folders, spoolDirectory },
  };
}

/** Hides paths on the server's disk from users other than administrators. */
export function hideFiles(outcome: ExecutionOutcome, { name, kind }: ConnectionSpec): ExecutionOutcome {
  if (outcome.status === 'done' || kind !== 'duckdb') return outcome;
  const { code } = outcome.error;
  if (code !== 'locked' && code !== 'unreachable') return outcome;
  return {
    ...outcome,
    error: { ...outcome.error, message: `the database of the connection ${name} cannot be opened now` },
  };
}

/** The disk quota of the published files of each user of a home, in bytes. */
function planPublished({ publish }: Home, limit: DiskLimit): number {
  if ('bytes' in limit) return limit.bytes;
  const { bavail, bsize } = statfsSync(publish);
  return toQuota(limit, readTree(publish), bavail * bsize);
}

/** The size of all files below a folder, in bytes. */
function readTree(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(path.join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0);
}
