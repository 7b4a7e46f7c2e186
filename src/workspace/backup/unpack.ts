import { createHash } from 'node:crypto';
import {
  closeSync,
  createReadStream,
  createWriteStream,
  mkdirSync,
  openSync,
  readSync,
  utimesSync,
} from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { ArchiveFault, archiveFaults } from './errors.ts';
import { readTar, type TarMember } from './read-tar.ts';

/** What was written for a file of an archive. */
export interface Unpacked {
  readonly size: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
}

const GZIP = 0x1f8b;

/**
 * Writes the files (0600) and folders (0700) of a tar archive, compressed or not, into an empty folder, and tells what
 * they are by their paths. Throws an ArchiveFault for a path that leaves the folder and for anything but files and
 * folders, and the file system's errors.
 */
export async function unpack(
  archive: string,
  folder: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Unpacked>> {
  const unpacked = new Map<string, Unpacked>();
  const write = async (input: AsyncIterable<Buffer>) => {
    for await (const member of readTar(input)) {
      if (member.path === '' || member.path === '.') continue;
      checkPath(member.path);
      if (member.kind === 'folder')
        mkdirSync(path.join(folder, member.path), { recursive: true, mode: 0o700 });
      else if (unpacked.has(member.path)) throw archiveFaults.twice(member.path);
      else unpacked.set(member.path, await writeMember(member, folder));
    }
  };
  const compressed = isCompressed(archive);
  const bytes = createReadStream(archive, { highWaterMark: 1024 ** 2 });
  try {
    if (compressed) await pipeline(bytes, createGunzip(), write, { signal });
    else await pipeline(bytes, write, { signal });
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
  if (!isPlain || leaves) throw archiveFaults.unsafePath(name);
}

async function writeMember({ path: name, body, modified }: TarMember, folder: string): Promise<Unpacked> {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const hash = createHash('sha256');
  let size = 0;
  const measure = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      size += chunk.length;
      yield chunk;
    }
  };
  await pipeline(body, measure, createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }));
  utimesSync(file, modified, modified);
  return { size, sha256: hash.digest('hex') };
}

/** What decompression says of its input, and the disk of an archive that has a file where it has a folder, too. */
function toArchiveFault(error: unknown): unknown {
  if (error instanceof ArchiveFault || !(error instanceof Error && 'code' in error)) return error;
  const code = String(error.code);
  if (code === 'Z_BUF_ERROR') return archiveFaults.truncated();
  if (code.startsWith('Z_')) return archiveFaults.damaged(error.message);
  const clashes = code === 'EEXIST' || code === 'ENOTDIR' || code === 'EISDIR' || code === 'ENAMETOOLONG';
  return clashes ? archiveFaults.damaged(error.message) : error;
}
