import type { Source } from '../text/source.ts';

/**
 * A package as it is stored: the scripts directly in one folder (docs/reference/language.md#files-and-packages). `id`
 * is unique within the loader; `name` appears in results and messages: the import path inside a project, else the path.
 * Files are ordered by name.
 */
export interface PackageSource {
  readonly id: string;
  readonly name: string;
  readonly files: readonly Source[];
}

/** The target of an import; `missing` has a message with the reason, and a suggestion if a name is similar. */
export type ImportTarget =
  | { readonly kind: 'package'; readonly id: string }
  | { readonly kind: 'missing'; readonly message: string };

/** Reads packages from the catalog or a folder on disk. An unreadable package counts as missing. */
export interface ScriptLoader {
  readPackage(id: string): PackageSource | null;
  /** Resolves an import path, not one of `std/`, from the package `from`. */
  resolveImport(from: string, path: string): ImportTarget;
}
