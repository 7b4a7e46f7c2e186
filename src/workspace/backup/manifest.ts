import { archiveFaults } from './errors.ts';

/** A file of a backup as its manifest names it. */
export interface ManifestFile {
  readonly path: string;
  readonly size: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
}

/** What a backup says of itself, in its last file. */
export interface Manifest {
  /** Of the archive; what this version reads and writes is `FORMAT`. */
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

/** The names that a backup may have in it, from its top. */
const KNOWN = /^(?:catalog\.db|config\.toml|secret\.key|db\/[^/]+\.duckdb|(?:files|publish)\/.+)$/su;

/** Whether a file of this path belongs into a backup. */
export function isKnownPath(path: string): boolean {
  return KNOWN.test(path);
}

/** Reads a manifest. Throws an ArchiveFault for one that is none, or of a later format. */
export function parseManifest(text: string): Manifest {
  const manifest = parseJson(text);
  if (!isRecord(manifest) || typeof manifest.format !== 'number')
    throw archiveFaults.manifest('it has no format');
  if (manifest.format > FORMAT) throw archiveFaults.laterFormat(manifest.format, FORMAT);
  if (!isManifest(manifest)) throw archiveFaults.manifest('a field is missing or wrong');
  return manifest;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw archiveFaults.manifest('it is no JSON');
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isManifest(value: unknown): value is Manifest {
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
