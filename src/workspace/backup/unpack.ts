import { createHash } from 'node:crypto';
import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { ArchiveError, archiveErrors } from './errors.ts';
import { addFile, addFolder, createTree, placeTree } from './place-tree.ts';
import { readTar, type TarMember } from './read-tar.ts';

/** An unpacked file of an archive. */
export interface Unpacked {
  readonly size: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
}

const GZIP = 0x1f8b;

/** The maximum length of a path in an archive, in bytes: the limit of Linux. */
const MAX_PATH_BYTES = 4095;

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
): Promise<ReadonlyMap<string, Unpacked>> {
  const unpacked = new Map<string, Unpacked>();
  const tree = createTree();
  const write = async (input: AsyncIterable<Buffer>) => {
    for await (const member of readTar(input)) {
      if (member.path === '' || member.path === '.') continue;
      checkPath(member.path);
      if (member.kind === 'folder') addFolder(tree, member.path);
      else if (unpacked.has(member.path)) throw archiveErrors.twice(member.path);
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
    throw toArchiveError(error);
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

/** Accepts only paths that are valid on every system. */
function checkPath(name: string): void {
  const isPlain = name
    .split('/')
    .every((part) => part !== '' && part !== '.' && part !== '..' && !part.includes('\0'));
  const leaves = path.isAbsolute(name) || (path.sep === '\\' && /[\\:]/.test(name));
  if (!isPlain || leaves || Buffer.byteLength(name) > MAX_PATH_BYTES) throw archiveErrors.unsafePath(name);
}

async function writeMember({ body, modified }: TarMember, file: string): Promise<Unpacked> {
  // The handle is closed before the caller cleans up, so no part of the file appears later.
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

/** Converts errors of decompression, and of names that the disk does not accept. */
function toArchiveError(error: unknown): unknown {
  if (error instanceof ArchiveError || !(error instanceof Error && 'code' in error)) return error;
  const code = String(error.code);
  if (code === 'Z_BUF_ERROR') return archiveErrors.truncated();
  if (code.startsWith('Z_')) return archiveErrors.damaged(error.message);
  return code === 'ENAMETOOLONG' ? archiveErrors.damaged(error.message) : error;
}
