import { existsSync, mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { syncFolder } from '../../store/files/backup.ts';
import { archiveFaults } from './errors.ts';

/** A folder that is to be: by their names, folders, and where files lie meanwhile. */
export type Tree = Map<string, Tree | string>;

/** An empty folder. */
export function createTree(): Tree {
  return new Map();
}

/** Adds a folder and those on its way. Throws an ArchiveFault where a file has its place. */
export function addFolder(tree: Tree, name: string): Tree {
  let folder = tree;
  for (const part of name.split('/')) {
    const found = folder.get(part) ?? createTree();
    if (typeof found === 'string') throw archiveFaults.clash(name);
    folder.set(part, found);
    folder = found;
  }
  return folder;
}

/** Adds a file that lies at `file`. Throws an ArchiveFault where something has its place. */
export function addFile(tree: Tree, name: string, file: string): void {
  const { dir, base } = path.posix.parse(name);
  const folder = dir === '' ? tree : addFolder(tree, dir);
  if (folder.has(base)) throw archiveFaults.clash(name);
  folder.set(base, file);
}

/**
 * Moves the files of a tree into `folder`, which is there, and syncs its folders. Each folder (0700) is filled below
 * `stage` before it is moved into the one around it: so no path is ever longer than that of a name in `stage`, and the
 * whole may be deeper than the system opens paths. Throws the file system's errors.
 */
export function placeTree(tree: Tree, folder: string, stage: string): void {
  let made = 0;

  function fill(target: string, entries: Tree): void {
    for (const [name, entry] of entries) {
      const place = path.join(target, name);
      // Where names differ in case alone, some systems take them for one.
      if (existsSync(place)) throw archiveFaults.clash(name);
      renameSync(typeof entry === 'string' ? entry : make(entry), place);
    }
    syncFolder(target);
  }

  function make(entries: Tree): string {
    const target = path.join(stage, `folder-${made++}`);
    mkdirSync(target, { mode: 0o700 });
    fill(target, entries);
    return target;
  }

  fill(folder, tree);
}
