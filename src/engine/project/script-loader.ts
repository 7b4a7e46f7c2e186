import type { Source } from '../text/source.ts';

/**
 * A package as it is stored: the scripts directly in one folder (language 1). `id` tells it from every other
 * one of the same loader; `name` is what results and messages call it: its import path inside a project,
 * else its path. Files come in the order of their names.
 */
export interface PackageSource {
  readonly id: string;
  readonly name: string;
  readonly files: readonly Source[];
}

/** Where an import leads: `missing` says in one sentence why nowhere, and what was meant if that is near. */
export type ImportTarget =
  | { readonly kind: 'package'; readonly id: string }
  | { readonly kind: 'missing'; readonly message: string };

/** Reads packages from where they are kept: the catalog, or a folder on disk. What is unreadable is missing. */
export interface ScriptLoader {
  readPackage(id: string): PackageSource | null;
  /** Finds what the package `from` means by an import path, which is not one of `std/`. */
  resolveImport(from: string, path: string): ImportTarget;
}
