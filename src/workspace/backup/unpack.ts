import { open } from 'node:fs/promises';
import path from 'node:path';
import { addFile, addFolder, createTree, placeTree } from './place-tree.ts';
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
  const found = await hashBody(body, (chunk) => handle.writeFile(chunk));
  await handle.utimes(modified, modified);
  await handle.sync();
  return found;
}
