import { createHash } from 'node:crypto';
import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { ArchiveFault, archiveFaults } from './errors.ts';
import { addFile, addFolder, createTree, placeTree } from './place-tree.ts';
import { readTar, type TarMember } from './read-tar.ts';

/** What was written for a file of an archive. */
export interface Unpacked {
  readonly size: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
}

const GZIP = 0x1f8b;

/** Most bytes of a path in an archive: Linux opens no longer one. */
const MAX_PATH_BYTES = 4095;

/**
 * Writes the files (0600) and folders (0700) of a tar archive, compressed or not, into an empty folder, and tells what
 * they are by their paths. `stage` is a folder beside it, to be removed by the caller. Throws an ArchiveFault for a
 * path that leaves the folder and for anything but files and folders, and the file system's errors.
 */
export async function unpack(
  archive: string,
  folder: string,
  stage: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Unpacked>> {
  const unpacked = new Map<string, Unpacked>();
  const tree = createTree();
  const write = async (input: AsyncIterable<Buffer>) => {
    for await (const member of readTar(input)) {
      if (member.path === '' || member.path === '.') continue;
      checkPath(member.path);
      if (member.kind === 'folder') addFolder(tree, member.path);
      else if (unpacked.has(member.path)) throw archiveFaults.twice(member.path);
      else {
        const file = path.join(stage, String(unpacked.size));
        addFile(tree, member.path, file);
        unpacked.set(member.path, await writeMember(member, file));
      }
    }
  };
  const compressed = isCompressed(archive);
  const bytes = createReadStream(archive, { highWaterMark: 1024 ** 2 });
  try {
    if (compressed) await pipeline(bytes, createGunzip(), write, { signal });
    else await pipeline(bytes, write, { signal });
    placeTree(tree, folder, stage);
  } catch (error) {
    throw toArchiveFault(error);
  }
  return unpacked;
}

function isCompressed(archive: string): boolean {
  const handle = openSync(archive, 'r');
  try {
    const start = Buffer.alloc(2);
    return readSync(handle, start, 0, 2, 0) === 2 && start.readUInt16BE(0) === GZIP;
  } finally {
    closeSync(handle);
  }
}

/** A path of plain names, as it is on every system. */
function checkPath(name: string): void {
  const isPlain = name
    .split('/')
    .every((part) => part !== '' && part !== '.' && part !== '..' && !part.includes('\0'));
  const leaves = path.isAbsolute(name) || (path.sep === '\\' && /[\\:]/.test(name));
  if (!isPlain || leaves || Buffer.byteLength(name) > MAX_PATH_BYTES) throw archiveFaults.unsafePath(name);
}

async function writeMember({ body, modified }: TarMember, file: string): Promise<Unpacked> {
  // Open before anything may fail and closed after it: nothing of the file appears once the caller clears up.
  await using handle = await open(file, 'wx', 0o600);
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of body) {
    hash.update(chunk);
    size += chunk.length;
    await handle.writeFile(chunk);
  }
  await handle.utimes(modified, modified);
  await handle.sync();
  return { size, sha256: hash.digest('hex') };
}

/** What decompression says of its input, and the disk of names in it. */
function toArchiveFault(error: unknown): unknown {
  if (error instanceof ArchiveFault || !(error instanceof Error && 'code' in error)) return error;
  const code = String(error.code);
  if (code === 'Z_BUF_ERROR') return archiveFaults.truncated();
  if (code.startsWith('Z_')) return archiveFaults.damaged(error.message);
  return code === 'ENAMETOOLONG' ? archiveFaults.damaged(error.message) : error;
}
