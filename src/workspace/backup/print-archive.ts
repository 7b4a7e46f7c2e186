import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createTarPacker, type TarHeader, type TarPackController } from 'modern-tar';
import { backupErrors } from './errors.ts';
import type { BackupSource } from './list-sources.ts';
import { type BackupManifest, MANIFEST, type ManifestFile } from './manifest.ts';

/** The manifest without its files. */
type ManifestHead = Omit<BackupManifest, 'files'>;

/** The bytes of an archive while it is packed. */
interface PackedArchive {
  readonly bytes: ReadableStream<Uint8Array>;
  /** Settles when no source is read any more; it never rejects. */
  readonly packed: Promise<void>;
}

const CHUNK_BYTES = 1024 ** 2;

/**
 * Packs files and folders into a tar archive, its manifest last. The next source is requested when the previous one is
 * done. The bytes fail with the file system's errors, and with ServiceError 409 for a file that shrinks meanwhile.
 */
export function printArchive(sources: AsyncIterable<BackupSource>, head: ManifestHead): PackedArchive {
  const { readable, controller } = createTarPacker();
  const packed = pack(controller, sources, head).catch((error: unknown) => controller.error(error));
  return { bytes: readable, packed };
}

async function pack(
  archive: TarPackController,
  sources: AsyncIterable<BackupSource>,
  head: ManifestHead,
): Promise<void> {
  const files: ManifestFile[] = [];
  for await (const source of sources) {
    if (source.kind === 'file') files.push(await addFile(archive, source));
    else await archive.add(describeFolder(source)).close();
  }
  const body = Buffer.from(`${JSON.stringify({ ...head, files }, null, 2)}\n`);
  const manifest = { path: MANIFEST, size: body.length, mtime: new Date(head.created_at) };
  const writer = archive.add(describeFile(manifest)).getWriter();
  await writer.write(body);
  await writer.close();
  archive.finalize();
}

function describeFolder({ path, file }: BackupSource): TarHeader {
  const { mtime } = statSync(file);
  return { name: `${path}/`, type: 'directory', mode: 0o700, size: 0, mtime };
}

function describeFile({ path, ...attributes }: { path: string; size: number; mtime: Date }): TarHeader {
  return { name: path, type: 'file', mode: 0o600, ...attributes };
}

/** A file that grows while it is read is cut at its initial size. */
async function addFile(archive: TarPackController, { path, file }: BackupSource): Promise<ManifestFile> {
  await using handle = await open(file, 'r');
  const { size, mtime } = await handle.stat();
  const hash = createHash('sha256');
  const writer = archive.add(describeFile({ path, size, mtime })).getWriter();
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
      await writer.write(chunk);
    }
  }
  if (missing > 0) throw backupErrors.changedWhileRead(file);
  await writer.close();
  return { path, size, sha256: hash.digest('hex') };
}
