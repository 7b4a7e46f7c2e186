import type { Diagnostic } from '../text/diagnostic.ts';
import type { SourceReading } from './file-tree.ts';
import type { Manifest } from './manifest.ts';

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
  /** The project of a package. Throws DiagnosticError if its manifest has errors. */
  findProject(id: string): Project | null;
  /** Resolves an import path, not one of `std/`, from the package `from`. */
  resolveImport(from: string, path: string): ImportTarget;
}

/** A folder that directly holds a `project.toml`. */
export interface Project {
  /** The id of the folder's package. */
  readonly id: string;
  readonly manifest: Manifest;
}

/** The target of a path that a user typed. */
export interface PackagePlace {
  readonly id: string;
  /** The file's name in messages, and the name of its Source if it is a script; null for a folder. */
  readonly file: string | null;
}

/** A script loader that also finds scripts and folders by the paths that users type. */
export interface PackageLoader extends ScriptLoader {
  /** The package of a folder or file; if neither exists, returns null or throws the loader's error. */
  findPackage(path: string): PackagePlace | null;
  /** The package of an import path that a user typed, outside all scripts. */
  findNamed(path: string): ImportTarget;
  /** The folder and the folders below it that contain scripts. */
  listPackages(id: string): readonly string[];
}

/** The warnings of the manifests of all projects of the packages, each once. Throws DiagnosticError. */
export function findManifestWarnings(
  loader: Pick<PackageLoader, 'findProject'>,
  packages: readonly string[],
): readonly Diagnostic[] {
  const projects = new Map(
    packages.map((id) => loader.findProject(id)).map((project) => [project?.id, project]),
  );
  return [...projects.values()].flatMap((project) => project?.manifest.warnings ?? []);
}
