import { LATEST_VERSION } from '../../store/inspect-catalog.ts';
import { isKnownPath } from './contents.ts';
import { archiveErrors } from './errors.ts';
import { type BackupManifest, MANIFEST, parseBackupManifest } from './manifest.ts';
import { type FoundFile, hashBody, readArchive } from './read-archive.ts';
import type { TarMember } from './read-tar.ts';

/**
 * Checks that an archive can be restored: that it holds exactly the files of its manifest, with paths that a backup may
 * contain. Throws an ArchiveError, and the file system's errors.
 */
export async function checkArchive(archive: string, signal: AbortSignal): Promise<void> {
  const manifest: Uint8Array[] = [];
  const onFile = ({ path, body }: TarMember) =>
    hashBody(body, (chunk) => void (path === MANIFEST && manifest.push(chunk)));
  const members = await readArchive(archive, { onFile }, signal);
  checkFiles(
    members,
    readBackupManifest(members, () => Buffer.concat(manifest).toString()),
  );
}

/** The manifest among the files of an archive; `read` returns its text. Throws an ArchiveError. */
export function readBackupManifest(
  members: ReadonlyMap<string, FoundFile>,
  read: () => string,
): BackupManifest {
  if (!members.has(MANIFEST)) {
    throw members.has('catalog.db') ? archiveErrors.truncated() : archiveErrors.noBackup();
  }
  return parseBackupManifest(read());
}

/** Checks that these are exactly the files of a manifest. Throws an ArchiveError. */
export function checkFiles(
  members: ReadonlyMap<string, FoundFile>,
  { files, schema_version }: BackupManifest,
): void {
  if (schema_version > LATEST_VERSION) throw archiveErrors.laterSchema(schema_version, LATEST_VERSION);
  const named = new Set([MANIFEST]);
  for (const { path: name, size, sha256 } of files) {
    const file = members.get(name);
    if (file === undefined) throw archiveErrors.missingFile(name);
    if (file.size !== size || file.sha256 !== sha256) throw archiveErrors.changedFile(name);
    named.add(name);
  }
  for (const name of members.keys()) {
    if (!named.has(name)) throw archiveErrors.unknownFile(name);
    if (name !== MANIFEST && !isKnownPath(name)) throw archiveErrors.unsafePath(name);
  }
  if (!named.has('catalog.db')) throw archiveErrors.missingFile('catalog.db');
}
