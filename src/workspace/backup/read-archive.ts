import { createHash } from 'node:crypto';
import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { ArchiveError, archiveErrors } from './errors.ts';
import { readTar, type TarMember } from './read-tar.ts';

/** A file of an archive, as it was read. */
export interface FoundFile {
  readonly size: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
}

/** Receives the entries of an archive in order. */
interface Visitor {
  onFolder?(path: string): void;
  /** Reads the body of a file to its end. */
  onFile(member: TarMember): Promise<FoundFile>;
}

const GZIP = 0x1f8b;

/** The maximum length of a path in an archive, in bytes: the limit of Linux. */
const MAX_PATH_BYTES = 4095;

/**
 * Reads a tar archive, compressed or not, and returns its files by their paths. Throws an ArchiveError for a path that
 * leaves the archive's folder and for anything but files and folders, and the file system's errors.
 */
export async function readArchive(
  archive: string,
  { onFolder, onFile }: Visitor,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, FoundFile>> {
  const files = new Map<string, FoundFile>();
  const visit = async (input: AsyncIterable<Uint8Array>) => {
    for await (const member of readTar(input)) {
      if (member.path === '' || member.path === '.') continue;
      checkPath(member.path);
      if (member.kind === 'folder') onFolder?.(member.path);
      else if (files.has(member.path)) throw archiveErrors.twice(member.path);
      else files.set(member.path, await onFile(member));
    }
  };
  const compressed = isCompressed(archive);
  const bytes = createReadStream(archive, { highWaterMark: 1024 ** 2 });
  try {
    if (compressed) await pipeline(bytes, createGunzip(), visit, { signal });
    else await pipeline(bytes, visit, { signal });
  } catch (error) {
    throw toArchiveError(error);
  }
  return files;
}

/** Reads the body of a file; `take` receives each chunk. */
export async function hashBody(
  body: TarMember['body'],
  take: (chunk: Uint8Array) => Promise<void> | void,
): Promise<FoundFile> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of body) {
    hash.update(chunk);
    size += chunk.length;
    await take(chunk);
  }
  return { size, sha256: hash.digest('hex') };
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

/** Converts errors of decompression, and of names that the disk does not accept. */
export function toArchiveError(error: unknown): unknown {
  if (error instanceof ArchiveError || !(error instanceof Error && 'code' in error)) return error;
  const code = String(error.code);
  if (code === 'Z_BUF_ERROR') return archiveErrors.truncated();
  if (code.startsWith('Z_')) return archiveErrors.damaged(error.message);
  return code === 'ENAMETOOLONG' ? archiveErrors.damaged(error.message) : error;
}
