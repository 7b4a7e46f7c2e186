import { archiveErrors } from './errors.ts';

/** A file of a backup in its manifest. */
export interface ManifestFile {
  readonly path: string;
  readonly size: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
}

/** The description of a backup, its last file. */
export interface BackupManifest {
  /** The format of the archive; this version reads and writes `FORMAT`. */
  readonly format: number;
  /** The version of Quern that wrote it. */
  readonly version: string;
  readonly created_at: string;
  /** Of the catalog. */
  readonly schema_version: number;
  /** Every other file. */
  readonly files: readonly ManifestFile[];
}

export const FORMAT = 1;
export const MANIFEST = 'manifest.json';

/** Parses a manifest. Throws an ArchiveError for an invalid manifest, and for a later format. */
export function parseBackupManifest(text: string): BackupManifest {
  const manifest = parseJson(text);
  if (!isRecord(manifest) || typeof manifest.format !== 'number')
    throw archiveErrors.manifest('it has no format');
  if (manifest.format > FORMAT) throw archiveErrors.laterFormat(manifest.format, FORMAT);
  if (!isManifest(manifest)) throw archiveErrors.manifest('a field is missing or wrong');
  return manifest;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw archiveErrors.manifest('it is not JSON');
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isManifest(value: unknown): value is BackupManifest {
  return (
    isRecord(value) &&
    value.format === FORMAT &&
    typeof value.version === 'string' &&
    typeof value.created_at === 'string' &&
    Number.isSafeInteger(value.schema_version) &&
    Array.isArray(value.files) &&
    value.files.every(isManifestFile)
  );
}

function isManifestFile(value: unknown): boolean {
  return (
    isRecord(value) &&
    typeof value.path === 'string' &&
    Number.isSafeInteger(value.size) &&
    typeof value.sha256 === 'string'
  );
}
