import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { backupErrors } from './errors.ts';
import type { Source } from './list-sources.ts';
import { MANIFEST, type Manifest, type ManifestFile } from './manifest.ts';
import { BLOCK, paddingOf, printHeader } from './tar-header.ts';

/** The manifest without its files. */
type ManifestHead = Omit<Manifest, 'files'>;

const CHUNK_BYTES = 1024 ** 2;

/**
 * The bytes of a tar archive of these files and folders, its manifest last. The next source is requested when the
 * previous one is done. Throws the file system's errors, and ServiceError 409 for a file that shrinks meanwhile.
 */
export async function* printArchive(
  sources: AsyncIterable<Source>,
  head: ManifestHead,
): AsyncGenerator<Buffer> {
  const files: ManifestFile[] = [];
  for await (const source of sources) {
    if (source.kind === 'folder') yield printHeader({ ...timesOf(source.file), ...source, size: 0 });
    else files.push(yield* printFile(source));
  }
  const body = Buffer.from(`${JSON.stringify({ ...head, files }, null, 2)}\n`);
  const modified = Math.floor(Date.parse(head.created_at) / 1000);
  yield printHeader({ path: MANIFEST, kind: 'file', size: body.length, modified });
  yield Buffer.concat([body, Buffer.alloc(paddingOf(body.length) + 2 * BLOCK)]);
}

function timesOf(file: string) {
  return { modified: Math.floor(statSync(file).mtimeMs / 1000) };
}

/** A file that grows while it is read is cut at its initial size. */
async function* printFile({ path, file }: Source): AsyncGenerator<Buffer, ManifestFile> {
  await using handle = await open(file, 'r');
  const { size, mtimeMs } = await handle.stat();
  const hash = createHash('sha256');
  yield printHeader({ path, kind: 'file', size, modified: Math.floor(mtimeMs / 1000) });
  let missing = size;
  if (size > 0) {
    const bytes: AsyncIterable<Buffer> = createReadStream(file, {
      fd: handle,
      autoClose: false,
      start: 0,
      end: size - 1,
      highWaterMark: CHUNK_BYTES,
    });
    for await (const chunk of bytes) {
      missing -= chunk.length;
      hash.update(chunk);
      yield chunk;
    }
  }
  if (missing > 0) throw backupErrors.changedWhileRead(file);
  yield Buffer.alloc(paddingOf(size));
  return { path, size, sha256: hash.digest('hex') };
}
