import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { isUnfinished } from '../../engine/run/unfinished-files.ts';

/** A file or folder of a home that a backup holds. */
export interface Source {
  readonly kind: 'file' | 'folder';
  /** In the archive: slashes between the names. */
  readonly path: string;
  /** On the disk, absolute. */
  readonly file: string;
}

/** What of a home goes into a backup beside its catalog and its key. */
export interface Sources {
  /** DuckDB's files. */
  readonly databases: readonly Source[];
  /** Everything else, each folder before what is in it. */
  readonly files: readonly Source[];
  /** Paths of what a backup cannot hold, such as links. */
  readonly leftOut: readonly string[];
}

const LOG = /\.duckdb\.wal(?:\..+)?$/;

/** Looks through a home's folder. */
export function listSources(home: string): Sources {
  const databases: Source[] = [];
  const files: Source[] = [];
  const leftOut: string[] = [];
  const config = path.join(home, 'config.toml');
  if (existsSync(config)) files.push({ kind: 'file', path: 'config.toml', file: config });
  for (const { kind, ...source } of listFolder(path.join(home, 'db'), 'db')) {
    if (source.path.endsWith('.duckdb') && kind !== 'folder') databases.push({ kind: 'file', ...source });
    else if (!LOG.test(source.path)) leftOut.push(source.path);
  }
  const collect = (folder: string, name: string) => {
    for (const { kind, ...source } of listFolder(folder, name)) {
      if (kind === 'other') leftOut.push(source.path);
      else files.push({ kind, ...source });
      if (kind === 'folder') collect(source.file, source.path);
    }
  };
  for (const name of ['files', 'publish']) collect(path.join(home, name), name);
  return { databases, files, leftOut };
}

/** What is in a folder, by name; nothing in one that is missing. What is being written there does not count. */
function listFolder(folder: string, name: string) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !isUnfinished(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((entry) => {
      const kind = entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'other';
      return { kind, path: `${name}/${entry.name}`, file: path.join(folder, entry.name) } as const;
    });
}
