import path from 'node:path';
import { createDiagnostic, DiagnosticError } from '../text/diagnostic.ts';
import { listPackages } from './list-packages.ts';
import { type ManifestReading, readManifest } from './manifest.ts';
import type { PackageLoader, PackagePlace, Project } from './package-loader.ts';
import { findFolder, isFile, listFolderNames, listScriptNames, readSource } from './read-folder.ts';
import { remember } from './remember.ts';
import { MAIN, type PackageSpace, type ProjectShelf, resolveImport } from './resolve-import.ts';
import type { PackageSource } from './script-loader.ts';

export interface LocalLoaderOptions {
  /** Where relative paths start, and the path imports of scripts outside every project. */
  readonly cwd: string;
  /** Folders of projects in which dependencies are looked for first, absolute or from `cwd`. */
  readonly projects?: readonly string[];
}

/**
 * A loader of the scripts in folders on disk (language 1); the id of a package is its folder's real path. It
 * reads each manifest and the names of each folder once. Making it, and `readPackage`, throw DiagnosticError with all files that cannot be used: manifests with
 * errors, scripts that are unreadable, larger than 15 MB or no UTF-8.
 */
export function createLocalLoader({ cwd, projects = [] }: LocalLoaderOptions): PackageLoader {
  const start = findFolder(cwd) ?? path.resolve(cwd);
  const manifests = createManifestReader(start);
  const given = readGiven(start, projects, manifests);
  const space = createSpace(start, manifests, given);
  return {
    findPackage: (typed) => findPackage(start, typed),
    findNamed: (importPath) => resolveImport(space, start, importPath),
    listPackages: (id) => listPackages(space, id),
    findProject: space.findProject,
    readPackage: (id) => readPackage(start, space, id),
    resolveImport: (from, importPath) => resolveImport(space, from, importPath),
  };
}

function findPackage(cwd: string, typed: string): PackagePlace | null {
  const target = path.resolve(cwd, typed);
  const folder = findFolder(target);
  if (folder !== null) return { id: folder, file: null };
  const parent = findFolder(path.dirname(target));
  if (parent === null || !isFile(target)) return null;
  return { id: parent, file: printTyped(cwd, path.join(parent, path.basename(target))) };
}

function readPackage(cwd: string, space: PackageSpace, id: string): PackageSource | null {
  if (findFolder(id) === null) return null;
  const files = listScriptNames(id).map((name) => path.join(id, name));
  const readings = files.map((file) => readSource(file, printTyped(cwd, file)));
  const faults = readings.flatMap(({ fault }) => fault ?? []);
  if (faults.length > 0) throw new DiagnosticError(faults);
  return { id, name: space.printName(id), files: readings.flatMap(({ source }) => source ?? []) };
}

/** The manifest directly in a folder, read once; null without one. */
type ManifestReader = (folder: string) => ManifestReading | null;

function createManifestReader(cwd: string): ManifestReader {
  return remember((folder) => {
    const file = manifestIn(folder);
    if (!isFile(file)) return null;
    const { source, fault } = readSource(file, printTyped(cwd, file));
    return source === undefined ? { faults: [fault] } : readManifest(source);
  });
}

function manifestIn(folder: string): string {
  return path.join(folder, 'project.toml');
}

function readGiven(cwd: string, folders: readonly string[], manifests: ManifestReader): ProjectShelf {
  const ids = folders.map((folder) => findFolder(path.resolve(cwd, folder)) ?? path.resolve(cwd, folder));
  const projects = [...new Set(ids)].map((id) => {
    const { manifest, faults } = manifests(id) ?? { faults: [noManifest(printTyped(cwd, manifestIn(id)))] };
    return { id, manifest, faults };
  });
  const faults = projects.flatMap((project) => project.faults ?? []);
  if (faults.length > 0) throw new DiagnosticError(faults);
  return { projects: projects.flatMap(({ id, manifest }) => (manifest ? { id, manifest } : [])), faulty: [] };
}

function noManifest(name: string) {
  return createDiagnostic(
    { name, text: '' },
    { start: 0, end: 0 },
    'there is no such file, so its folder is no project',
  );
}

function createSpace(cwd: string, manifests: ManifestReader, given: ProjectShelf): PackageSpace {
  const listNames = remember(listFolderNames);
  const readBeside = remember((project: string) => readNeighbours(cwd, project, manifests));

  function findProject(id: string): Project | null {
    for (let folder = id; ; folder = path.dirname(folder)) {
      const { manifest, faults } = manifests(folder) ?? {};
      if (faults !== undefined) throw new DiagnosticError(faults);
      if (manifest !== undefined) return { id: folder, manifest };
      if (path.dirname(folder) === folder) return null;
    }
  }

  return {
    findProject,
    *listShelves(id) {
      yield given;
      const own = findProject(id);
      if (own !== null) yield readBeside(own.id);
    },
    findRoot: (id) => findProject(id)?.id ?? cwd,
    findChild: (id, name) => (listNames(id).includes(name) ? findFolder(path.join(id, name)) : null),
    listChildNames: listNames,
    hasScripts: (id) => listScriptNames(id).length > 0,
    printName: (id) => printName(cwd, findProject(id), id),
    printPath: (id) => printTyped(cwd, id) || 'the current folder',
  };
}

/** The projects in the folders beside a project. */
function readNeighbours(cwd: string, project: string, manifests: ManifestReader): ProjectShelf {
  const parent = path.dirname(project);
  const folders = listFolderNames(parent).map((name) => findFolder(path.join(parent, name)));
  const projects: Project[] = [];
  const faulty: string[] = [];
  for (const id of new Set(folders)) {
    if (id === null || id === project) continue;
    const { manifest, faults } = manifests(id) ?? {};
    if (manifest !== undefined) projects.push({ id, manifest });
    if (faults !== undefined) faulty.push(printTyped(cwd, manifestIn(id)));
  }
  return { projects, faulty };
}

function printName(cwd: string, project: Project | null, id: string): string {
  if (project === null) return printTyped(cwd, id).replaceAll(path.sep, '/') || MAIN;
  const folder = path.relative(project.id, id).replaceAll(path.sep, '/');
  return folder === '' ? project.manifest.general.name : `${project.manifest.general.name}/${folder}`;
}

/** A path as one would type it in `cwd`: `''` for that folder itself, absolute for what lies outside. */
function printTyped(cwd: string, target: string): string {
  const typed = path.relative(cwd, target);
  const outside = typed === '..' || typed.startsWith(`..${path.sep}`) || path.isAbsolute(typed);
  return outside ? target : typed;
}
