import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { syncFolder } from '../../store/files/backup.ts';
import { archiveErrors } from './errors.ts';
import { type FoundFile, hashBody, readArchive, toArchiveError } from './read-archive.ts';
import type { TarMember } from './read-tar.ts';

/**
 * Writes the files (0600) and folders (0700) of a tar archive, compressed or not, into an empty folder, and returns
 * them by their paths. `stage` is a folder next to it that the caller removes. Throws an ArchiveError for a path
 * outside the folder and for anything but files and folders, and the file system's errors.
 */
export async function unpack(
  archive: string,
  folder: string,
  stage: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, FoundFile>> {
  const tree = createTree();
  let count = 0;
  const unpacked = await readArchive(
    archive,
    {
      onFolder: (name) => void addFolder(tree, name),
      onFile(member) {
        const file = path.join(stage, String(count++));
        addFile(tree, member.path, file);
        return writeMember(member, file);
      },
    },
    signal,
  );
  try {
    placeTree(tree, folder, stage);
  } catch (error) {
    throw toArchiveError(error);
  }
  return unpacked;
}

async function writeMember({ body, modified }: TarMember, file: string): Promise<FoundFile> {
  // The handle is closed before the caller cleans up, so no part of the file appears later.
  await using handle = await open(file, 'wx', 0o600);
  const digest = await hashBody(body, (chunk) => handle.writeFile(chunk));
  await handle.utimes(modified, modified);
  await handle.sync();
  return digest;
}

/** A folder to create: subfolders and the current paths of files, by name. */
type Tree = Map<string, Tree | string>;

/** An empty folder. */
function createTree(): Tree {
  return new Map();
}

/** Adds a folder and its parents. Throws an ArchiveError where a file has the same path. */
function addFolder(tree: Tree, name: string): Tree {
  let folder = tree;
  for (const part of name.split('/')) {
    const child = folder.get(part) ?? createTree();
    if (typeof child === 'string') throw archiveErrors.clash(name);
    folder.set(part, child);
    folder = child;
  }
  return folder;
}

/** Adds the file `file`. Throws an ArchiveError where the path is already used. */
function addFile(tree: Tree, name: string, file: string): void {
  const { dir, base } = path.posix.parse(name);
  const folder = dir === '' ? tree : addFolder(tree, dir);
  if (folder.has(base)) throw archiveErrors.clash(name);
  folder.set(base, file);
}

/**
 * Moves the files of a tree into the existing `folder`, and syncs its folders. Each folder (0700) is filled below
 * `stage` before it is moved into its parent. So paths stay short, and the tree may be deeper than the longest path
 * that the system opens. Throws the file system's errors.
 */
function placeTree(tree: Tree, folder: string, stage: string): void {
  let made = 0;

  function fill(target: string, entries: Tree): void {
    for (const [name, entry] of entries) {
      const destination = path.join(target, name);
      // On some systems, names that differ only in case are the same.
      if (existsSync(destination)) throw archiveErrors.clash(name);
      renameSync(typeof entry === 'string' ? entry : make(entry), destination);
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
