import path from 'node:path';
import { createDiagnostic, type Diagnostic, DiagnosticError } from '../text/diagnostic.ts';
import { DISK, isWithin } from './disk.ts';
import type { FileTree } from './file-tree.ts';
import { type ManifestReading, readManifest } from './manifest.ts';
import type { PackageLoader, PackagePlace, Project, ScriptEntry } from './package-loader.ts';
import { remember } from './remember.ts';
import { listPackages, MAIN, type PackageSpace, type ProjectShelf, resolveImport } from './resolve-import.ts';

export interface LocalLoaderOptions {
  /** The base of relative paths, and of the path imports of scripts outside every project. */
  readonly cwd: string;
  /** Folders of projects that are searched first for dependencies, absolute or relative to `cwd`. */
  readonly projects?: readonly string[];
  /** The file tree to read from; this machine's disk by default. */
  readonly tree?: FileTree;
}

/**
 * Creates a loader of scripts in folders of a disk (docs/reference/projects.md#imports); the id of a package is the
 * path of its folder. Each manifest and the names of each folder are read once. `createLocalLoader`, `listScripts` and
 * `printName` throw a DiagnosticError for manifests with errors. A script cannot be read if it is larger than 15 MB, not
 * UTF-8, a special file, or a link that leads outside its project (without a project: outside the given folder).
 */
export function createLocalLoader({ cwd, projects = [], tree = DISK }: LocalLoaderOptions): PackageLoader {
  const start = tree.findFolder(cwd) ?? path.resolve(cwd);
  const search: PackageSearch = {
    tree,
    cwd: start,
    manifests: createManifestReader(tree, start),
    typedFolders: [],
  };
  const space = createSpace(search, readGiven(search, projects));
  return {
    findPackage: (typedPath) => findPackage(search, typedPath),
    findNamed: (importPath) => resolveImport(space, start, importPath),
    listPackages: (id) => listPackages(space, id),
    findProject: space.findProject,
    printName: space.printName,
    listScripts: (id) => listScripts(search, space, id),
    findScript: (id, name) => listScripts(search, space, id)?.find((entry) => entry.name === name) ?? null,
    resolveImport: (from, importPath) => resolveImport(space, from, importPath),
  };
}

/** The file tree and the state of a search for packages. */
interface PackageSearch {
  readonly tree: FileTree;
  readonly cwd: string;
  readonly manifests: ManifestReader;
  /** The packages that were found by typed paths. */
  readonly typedFolders: string[];
}

function findPackage(search: PackageSearch, typedPath: string): PackagePlace | null {
  const place = findPlace(search, typedPath);
  if (place !== null) search.typedFolders.push(place.id);
  return place;
}

function findPlace({ tree, cwd }: PackageSearch, typedPath: string): PackagePlace | null {
  const target = path.resolve(cwd, typedPath);
  const folder = tree.findFolder(target);
  if (folder !== null) return { id: folder, file: null };
  const parent = tree.findFolder(path.dirname(target));
  if (parent === null || !tree.isFile(target)) return null;
  return { id: parent, file: printTyped(cwd, path.join(parent, path.basename(target))) };
}

function listScripts(search: PackageSearch, space: PackageSpace, id: string): readonly ScriptEntry[] | null {
  const { tree, cwd } = search;
  if (tree.findFolder(id) === null) return null;
  const bounds = findBounds(search, space, id);
  return tree.listScriptNames(id).map((fileName) => {
    const file = path.join(id, fileName);
    const name = printTyped(cwd, file);
    return { name, read: () => tree.readSource(file, name, bounds) };
  });
}

/**
 * The folder that links of a package must not leave: that of its project, else the outermost given folder, else the
 * root of path imports.
 */
function findBounds(
  { cwd, typedFolders }: PackageSearch,
  { findProject }: Pick<PackageSpace, 'findProject'>,
  id: string,
) {
  const project = findProject(id);
  if (project !== null) return project.id;
  const outer = typedFolders
    .filter((folder) => isWithin(folder, id))
    .sort((left, right) => left.length - right.length);
  return outer[0] ?? (isWithin(cwd, id) ? cwd : id);
}

/** Reads the manifest directly in a folder, once; null if there is no manifest. */
type ManifestReader = (folder: string) => ManifestReading | null;

function createManifestReader(tree: FileTree, cwd: string): ManifestReader {
  return remember((folder) => {
    const file = manifestIn(folder);
    if (!tree.isFile(file)) return null;
    const { source, error } = tree.readSource(file, printTyped(cwd, file), folder);
    return source === undefined ? { errors: [error] } : readManifest(source);
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
    const { manifest, errors } = manifests(id) ?? { errors: [noManifest(printTyped(cwd, manifestIn(id)))] };
    return { id, manifest, errors };
  });
  const errors = projects.flatMap((project) => project.errors ?? []);
  if (errors.length > 0) throw new DiagnosticError(errors);
  return {
    projects: projects.flatMap(({ id, manifest }) => (manifest ? { id, manifest } : [])),
    invalidManifests: [],
  };
}

function noManifest(name: string): Diagnostic {
  return createFileError(name, 'file not found, so its folder is not a project');
}

function linkedOutside(name: string, bounds: string): Diagnostic {
  return createFileError(
    name,
    `the folder is a link that leads outside \`${bounds}\`, and has scripts: replace it with a copy, or list its project under [dependencies]`,
  );
}

function createFileError(name: string, message: string): Diagnostic {
  return createDiagnostic({ name, text: '' }, { start: 0, end: 0 }, message, 'file');
}

function createSpace(search: PackageSearch, typedProjects: ProjectShelf): PackageSpace {
  const { tree, cwd, manifests } = search;
  const listNames = remember(tree.listFolderNames);
  const readSiblings = remember((project: string) => readSiblingProjects(search, project));

  function findProject(id: string): Project | null {
    for (let folder = id; ; folder = path.dirname(folder)) {
      const { manifest, errors } = manifests(folder) ?? {};
      if (errors !== undefined) throw new DiagnosticError(errors);
      if (manifest !== undefined) return { id: folder, manifest };
      if (path.dirname(folder) === folder) return null;
    }
  }

  const findRoot = (id: string) => findProject(id)?.id ?? cwd;

  /** A linked folder outside the project is ignored if it has no scripts: it can serve other purposes. */
  function findChild(id: string, name: string): string | null {
    const link = path.join(id, name);
    const folder = tree.findFolder(link);
    if (folder === null || folder === link) return folder;
    const bounds = findBounds(search, { findProject }, id);
    if (isWithin(bounds, folder) || isWithin(findRoot(id), folder)) return folder;
    if (tree.listScriptNames(folder).length === 0) return null;
    throw new DiagnosticError([linkedOutside(printTyped(cwd, link), bounds)]);
  }

  return {
    findProject,
    *listShelves(id) {
      yield typedProjects;
      const project = findProject(id);
      if (project !== null) yield readSiblings(project.id);
    },
    findRoot,
    findChild: (id, name) => (listNames(id).includes(name) ? findChild(id, name) : null),
    listChildNames: listNames,
    hasScripts: (id) => tree.listScriptNames(id).length > 0,
    printName: (id) => printName(cwd, findProject(id), id),
    printPath: (id) => printTyped(cwd, id) || 'the current folder',
  };
}

/** The projects in the sibling folders of a project. */
function readSiblingProjects({ tree, cwd, manifests }: PackageSearch, project: string): ProjectShelf {
  const parent = path.dirname(project);
  const folders = tree.listFolderNames(parent).map((name) => tree.findFolder(path.join(parent, name)));
  const projects: Project[] = [];
  const invalidManifests: string[] = [];
  for (const id of new Set(folders)) {
    if (id === null || id === project) continue;
    const { manifest, errors } = manifests(id) ?? {};
    if (manifest !== undefined) projects.push({ id, manifest });
    if (errors !== undefined) invalidManifests.push(printTyped(cwd, manifestIn(id)));
  }
  return { projects, invalidManifests };
}

function printName(cwd: string, project: Project | null, id: string): string {
  if (project === null) return printTyped(cwd, id).replaceAll(path.sep, '/') || MAIN;
  const folder = path.relative(project.id, id).replaceAll(path.sep, '/');
  return folder === '' ? project.manifest.general.name : `${project.manifest.general.name}/${folder}`;
}

/** A path relative to `cwd`: `''` for that folder itself, absolute for paths outside it. */
function printTyped(cwd: string, target: string): string {
  return isWithin(cwd, target) ? path.relative(cwd, target) : target;
}
