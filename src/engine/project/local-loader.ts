import path from 'node:path';
import { createDiagnostic, type Diagnostic, DiagnosticError } from '../text/diagnostic.ts';
import { DISK } from './disk.ts';
import type { FileTree } from './file-tree.ts';
import { isWithin } from './is-within.ts';
import { listPackages } from './list-packages.ts';
import { type ManifestReading, readManifest } from './manifest.ts';
import type { PackageLoader, PackagePlace, Project } from './package-loader.ts';
import { remember } from './remember.ts';
import { MAIN, type PackageSpace, type ProjectShelf, resolveImport } from './resolve-import.ts';
import type { PackageSource } from './script-loader.ts';

export interface LocalLoaderOptions {
  /** Where relative paths start, and the path imports of scripts outside every project. */
  readonly cwd: string;
  /** Folders of projects in which dependencies are looked for first, absolute or from `cwd`. */
  readonly projects?: readonly string[];
  /** Where the folders are; on this machine's disk if not given. */
  readonly tree?: FileTree;
}

/**
 * A loader of the scripts in folders as they lie on a disk (language 1); the id of a package is its folder's path. It
 * reads each manifest and the names of each folder once. Making it, and `readPackage`, throw DiagnosticError with all
 * files that cannot be used: manifests with errors, scripts that are unreadable, larger than 15 MB or no UTF-8; no plain
 * files, or links that lead out of their project, or out of the folder that was given where there is none.
 */
export function createLocalLoader({ cwd, projects = [], tree = DISK }: LocalLoaderOptions): PackageLoader {
  const start = tree.findFolder(cwd) ?? path.resolve(cwd);
  const place: PackageSearch = { tree, cwd: start, manifests: createManifestReader(tree, start), given: [] };
  const space = createSpace(place, readGiven(place, projects));
  return {
    findPackage: (typed) => findPackage(place, typed),
    findNamed: (importPath) => resolveImport(space, start, importPath),
    listPackages: (id) => listPackages(space, id),
    findProject: space.findProject,
    readPackage: (id) => readPackage(place, space, id),
    resolveImport: (from, importPath) => resolveImport(space, from, importPath),
  };
}

/** What is read from where. */
interface PackageSearch {
  readonly tree: FileTree;
  readonly cwd: string;
  readonly manifests: ManifestReader;
  /** The packages that were found by typed paths. */
  readonly given: string[];
}

function findPackage(place: PackageSearch, typed: string): PackagePlace | null {
  const found = findPlace(place, typed);
  if (found !== null) place.given.push(found.id);
  return found;
}

function findPlace({ tree, cwd }: PackageSearch, typed: string): PackagePlace | null {
  const target = path.resolve(cwd, typed);
  const folder = tree.findFolder(target);
  if (folder !== null) return { id: folder, file: null };
  const parent = tree.findFolder(path.dirname(target));
  if (parent === null || !tree.isFile(target)) return null;
  return { id: parent, file: printTyped(cwd, path.join(parent, path.basename(target))) };
}

function readPackage(place: PackageSearch, space: PackageSpace, id: string): PackageSource | null {
  const { tree, cwd } = place;
  if (tree.findFolder(id) === null) return null;
  const files = tree.listScriptNames(id).map((name) => path.join(id, name));
  const bounds = findBounds(place, space, id);
  const readings = files.map((file) => tree.readSource(file, printTyped(cwd, file), bounds));
  const faults = readings.flatMap(({ fault }) => fault ?? []);
  if (faults.length > 0) throw new DiagnosticError(faults);
  return { id, name: space.printName(id), files: readings.flatMap(({ source }) => source ?? []) };
}

/**
 * The folder out of which links of a package may not lead: that of its project, else the outermost that was given, else
 * the root of path imports.
 */
function findBounds(
  { cwd, given }: PackageSearch,
  { findProject }: Pick<PackageSpace, 'findProject'>,
  id: string,
) {
  const project = findProject(id);
  if (project !== null) return project.id;
  const outer = given
    .filter((folder) => isWithin(folder, id))
    .sort((one, other) => one.length - other.length);
  return outer[0] ?? (isWithin(cwd, id) ? cwd : id);
}

/** The manifest directly in a folder, read once; null without one. */
type ManifestReader = (folder: string) => ManifestReading | null;

function createManifestReader(tree: FileTree, cwd: string): ManifestReader {
  return remember((folder) => {
    const file = manifestIn(folder);
    if (!tree.isFile(file)) return null;
    const { source, fault } = tree.readSource(file, printTyped(cwd, file), folder);
    return source === undefined ? { faults: [fault] } : readManifest(source);
  });
}

function manifestIn(folder: string): string {
  return path.join(folder, 'project.toml');
}

function readGiven({ tree, cwd, manifests }: PackageSearch, folders: readonly string[]): ProjectShelf {
  const ids = folders.map(
    (folder) => tree.findFolder(path.resolve(cwd, folder)) ?? path.resolve(cwd, folder),
  );
  const projects = [...new Set(ids)].map((id) => {
    const { manifest, faults } = manifests(id) ?? { faults: [noManifest(printTyped(cwd, manifestIn(id)))] };
    return { id, manifest, faults };
  });
  const faults = projects.flatMap((project) => project.faults ?? []);
  if (faults.length > 0) throw new DiagnosticError(faults);
  return { projects: projects.flatMap(({ id, manifest }) => (manifest ? { id, manifest } : [])), faulty: [] };
}

function noManifest(name: string): Diagnostic {
  return createFault(name, 'there is no such file, so its folder is no project');
}

function linkedOut(name: string, bounds: string): Diagnostic {
  return createFault(
    name,
    `the folder is a link to outside of \`${bounds}\`, and has scripts: put a copy in its place, or list its project under [dependencies]`,
  );
}

function createFault(name: string, message: string): Diagnostic {
  return createDiagnostic({ name, text: '' }, { start: 0, end: 0 }, message, 'file');
}

function createSpace(place: PackageSearch, given: ProjectShelf): PackageSpace {
  const { tree, cwd, manifests } = place;
  const listNames = remember(tree.listFolderNames);
  const readBeside = remember((project: string) => readNeighbours(place, project));

  function findProject(id: string): Project | null {
    for (let folder = id; ; folder = path.dirname(folder)) {
      const { manifest, faults } = manifests(folder) ?? {};
      if (faults !== undefined) throw new DiagnosticError(faults);
      if (manifest !== undefined) return { id: folder, manifest };
      if (path.dirname(folder) === folder) return null;
    }
  }

  const findRoot = (id: string) => findProject(id)?.id ?? cwd;

  /** A folder elsewhere, without scripts of its own, may be linked for other ends. */
  function findChild(id: string, name: string): string | null {
    const link = path.join(id, name);
    const folder = tree.findFolder(link);
    if (folder === null || folder === link) return folder;
    const bounds = findBounds(place, { findProject }, id);
    if (isWithin(bounds, folder) || isWithin(findRoot(id), folder)) return folder;
    if (tree.listScriptNames(folder).length === 0) return null;
    throw new DiagnosticError([linkedOut(printTyped(cwd, link), bounds)]);
  }

  return {
    findProject,
    *listShelves(id) {
      yield given;
      const own = findProject(id);
      if (own !== null) yield readBeside(own.id);
    },
    findRoot,
    findChild: (id, name) => (listNames(id).includes(name) ? findChild(id, name) : null),
    listChildNames: listNames,
    hasScripts: (id) => tree.listScriptNames(id).length > 0,
    printName: (id) => printName(cwd, findProject(id), id),
    printPath: (id) => printTyped(cwd, id) || 'the current folder',
  };
}

/** The projects in the folders beside a project. */
function readNeighbours({ tree, cwd, manifests }: PackageSearch, project: string): ProjectShelf {
  const parent = path.dirname(project);
  const folders = tree.listFolderNames(parent).map((name) => tree.findFolder(path.join(parent, name)));
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
  return isWithin(cwd, target) ? path.relative(cwd, target) : target;
}
