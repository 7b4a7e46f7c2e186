import type { SourceReading } from './file-tree.ts';

/** A stored script. */
export interface ScriptEntry {
  /** Its name in messages. */
  readonly name: string;
  /** An object that is the same as long as the text is, to cache what is computed from it. */
  readonly version?: object;
  /** Reads the text; returns an error if it cannot be read or is not a script. */
  read(): SourceReading;
}

/** The target of an import; `missing` has a message with the reason, and a suggestion if a name is similar. */
export type ImportTarget =
  | { readonly kind: 'package'; readonly id: string }
  | { readonly kind: 'missing'; readonly message: string };

/**
 * Finds packages in the catalog or in folders on disk: the scripts directly in one folder
 * (docs/reference/language.md#files-and-packages). The id of a package is unique within the loader.
 */
export interface ScriptLoader {
  /** The name of a package in results and messages: the import path inside a project, else the path. */
  printName(id: string): string;
  /** The scripts of a package by name; null if it does not exist. */
  listScripts(id: string): readonly ScriptEntry[] | null;
  /** The script of a package with a name in messages, without listing the others; null if it does not exist. */
  findScript(id: string, name: string): ScriptEntry | null;
  /** Resolves an import path, not one of `std/`, from the package `from`. */
  resolveImport(from: string, path: string): ImportTarget;
}
