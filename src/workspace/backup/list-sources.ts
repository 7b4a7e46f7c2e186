import { type Dirent, existsSync, lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { isUnfinished } from '../../engine/run/publish/unfinished-files.ts';
import { codeOf } from '../../invariants/narrow.ts';
import { DATABASES, FOLDERS, isKnownPath, PLAIN_FILES } from './contents.ts';

/** A file or folder of a home that a backup holds. */
export interface BackupSource {
  readonly kind: 'file' | 'folder';
  /** In the archive, with slashes between the names. */
  readonly path: string;
  /** On the disk, absolute. */
  readonly file: string;
}

/** Parts of a home that go into a backup in addition to its catalog and its key. */
interface Sources {
  /** DuckDB's files. */
  readonly databases: readonly BackupSource[];
  /** All other files, each folder before its contents. */
  readonly files: readonly BackupSource[];
  /** Paths that cannot be backed up, such as links, and files whose paths are too long to open. */
  readonly leftOut: readonly string[];
}

const LOG = /\.duckdb\.wal(?:\..+)?$/;

/** Lists the files and folders of a home to back up. */
export function listSources(home: string): Sources {
  const databases: BackupSource[] = [];
  const files: BackupSource[] = [];
  const leftOut: string[] = [];
  for (const name of PLAIN_FILES) {
    const file = path.join(home, name);
    if (existsSync(file)) files.push({ kind: 'file', path: name, file });
  }
  for (const { kind, ...source } of listFolder(path.join(home, DATABASES), DATABASES)) {
    if (isKnownPath(source.path) && kind !== 'folder') databases.push({ kind: 'file', ...source });
    else if (!LOG.test(source.path)) leftOut.push(source.path);
  }
  const collect = (folder: string, name: string) => {
    for (const { kind, ...source } of listFolder(folder, name)) {
      if (kind === 'other') leftOut.push(source.path);
      else files.push({ kind, ...source });
      if (kind === 'folder') collect(source.file, source.path);
    }
  };
  for (const name of FOLDERS) collect(path.join(home, name), name);
  return { databases, files, leftOut };
}

/** The entries of a folder, by name; empty for a missing folder. Files that are still being written are left out. */
function listFolder(folder: string, name: string) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !isUnfinished(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((entry) => {
      const file = path.join(folder, entry.name);
      return { kind: findKind(entry, file), path: `${name}/${entry.name}`, file };
    });
}

function findKind(entry: Dirent, file: string): 'file' | 'folder' | 'other' {
  if (isTooLong(file)) return 'other';
  if (entry.isFile()) return 'file';
  return entry.isDirectory() ? 'folder' : 'other';
}

/** A home that was moved to a longer path can have files whose paths the system no longer opens. */
function isTooLong(file: string): boolean {
  try {
    lstatSync(file, { throwIfNoEntry: false });
    return false;
  } catch (error) {
    if (codeOf(error) === 'ENAMETOOLONG') return true;
    throw error;
  }
}
