import type { Diagnostic } from '../text/diagnostic.ts';
import type { Manifest } from './manifest.ts';
import type { ImportTarget, ScriptLoader } from './script-loader.ts';

/** A folder that directly holds a `project.toml`. */
export interface Project {
  /** The id of the package that the folder is. */
  readonly id: string;
  readonly manifest: Manifest;
}

/** What a path leads to that somebody typed. */
export interface PackagePlace {
  readonly id: string;
  /** What messages call the file, and its package's Source if the file is a script; null for a folder. */
  readonly file: string | null;
}

/** A script loader for a place where people name scripts and folders by their paths. */
export interface PackageLoader extends ScriptLoader {
  /** The package that a folder is, or that a file lies in; null, or the place's own refusal, without either. */
  findPackage(path: string): PackagePlace | null;
  /** The package that an import path names to somebody outside of all scripts. */
  findNamed(path: string): ImportTarget;
  /** The folder and those below it that hold scripts. */
  listPackages(id: string): readonly string[];
  /** The project that a package belongs to. Throws DiagnosticError when its manifest has errors. */
  findProject(id: string): Project | null;
}

/** The warnings of the manifests of all projects to which packages belong, each once. Throws DiagnosticError. */
export function findManifestWarnings(
  loader: Pick<PackageLoader, 'findProject'>,
  packages: readonly string[],
): readonly Diagnostic[] {
  const projects = new Map(packages.map((id) => loader.findProject(id)).map((own) => [own?.id, own]));
  return [...projects.values()].flatMap((own) => own?.manifest.warnings ?? []);
}
