import type { Diagnostic } from '../text/diagnostic.ts';
import type { Manifest } from './manifest.ts';
import type { ImportTarget, ScriptLoader } from './script-loader.ts';

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
  /** The project of a package. Throws DiagnosticError if its manifest has errors. */
  findProject(id: string): Project | null;
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
