import { type ManifestReading, readManifest } from '../engine/project/manifest.ts';
import { createOverlay, type FolderEntry, findSpelled, OverlayError } from '../engine/project/overlay.ts';
import type {
  ImportTarget,
  PackageLoader,
  PackagePlace,
  Project,
  ScriptEntry,
} from '../engine/project/package-loader.ts';
import { remember } from '../engine/project/remember.ts';
import {
  findNamedPackage,
  listPackages,
  MAIN,
  type PackageSpace,
  type ProjectShelf,
  resolveImport,
} from '../engine/project/resolve-import.ts';
import { DiagnosticError } from '../engine/text/diagnostic.ts';
import type { Source } from '../engine/text/source.ts';
import type { Principal } from '../identity/principal/principal.ts';
import { elementAt } from '../invariants/must.ts';
import { isFolder, isScript, isText } from './asset.ts';
import type { CatalogContext } from './context.ts';
import { notAFolder, overlayErrors, pathNotFound } from './errors.ts';
import { findVisible, findVisibleById, listVisible, rootId } from './find-item.ts';
import { type CatalogPath, type Namespace, printPath } from './path.ts';
import type { Child } from './store.ts';

const MANIFEST = 'project.toml';

/** Files that replace, or are added to, the scripts of the folder `base` and of the folders below it. */
export interface CatalogOverlay {
  /** The path of a folder. */
  readonly base: string;
  /** Files by their paths from the folder. */
  readonly files: readonly Source[];
}

/**
 * A loader of the catalog's scripts that a principal may view (docs/reference/projects.md#imports); the id of a package
 * is that of its folder. Use it within one transaction: it reads each manifest and lists each package once.
 * `findPackage` throws 404, `printName` and `resolveImport` throw DiagnosticError when the manifest of a package's project
 * has errors.
 */
export function createCatalogLoader(context: CatalogContext, principal: Principal): PackageLoader {
  const reader = createReader(context, principal);
  const space = createSpace(reader);
  return {
    ...createPackageReader(context, reader, space),
    findPackage: (path) => findPackage(context, principal, path),
    findNamed: (path) => findNamedPackage(space, rootId('@Personal', principal), path),
  };
}

/**
 * As `createCatalogLoader`, with an overlay; paths start at its folder. Throws 404 for a folder that the principal may
 * not view, and 400 or 422 for files that cannot be placed.
 */
export function createOverlayLoader(
  context: CatalogContext,
  principal: Principal,
  { base, files }: CatalogOverlay,
): PackageLoader {
  const { item, path } = findVisible(context, principal, base);
  if (!isFolder(item.type)) throw notAFolder(base);
  const reader = createOverlayReader(createReader(context, principal), { id: item.id, path }, files);
  const space = createSpace(reader);
  return {
    ...createPackageReader(context, reader, space),
    findPackage(text) {
      const target = findBelow(reader, item.id, text);
      if (target === null) throw pathNotFound(`${printPath(path)}/${text}`);
      return target;
    },
    findNamed(text): ImportTarget {
      const target = findBelow(reader, item.id, text);
      return target?.file === null ? { kind: 'package', id: target.id } : resolveImport(space, item.id, text);
    },
  };
}

function createPackageReader(
  context: CatalogContext,
  reader: Reader,
  space: PackageSpace,
): Omit<PackageLoader, 'findPackage' | 'findNamed'> {
  const toScripts = (id: string, entries: readonly FolderEntry[]) => {
    const path = printPath(getFolder(reader, id).path);
    return entries.filter(({ kind }) => kind === 'script').map((entry) => toScript(context, path, entry));
  };
  return {
    listPackages: (id) => listPackages(space, id),
    findProject: space.findProject,
    printName: space.printName,
    listScripts: remember((id: string) =>
      reader.findFolder(id) === null ? null : toScripts(id, reader.listEntries(id)),
    ),
    findScript: (id, name) => {
      const folder = reader.findFolder(id);
      const entry = folder && reader.findEntry(id, name.slice(printPath(folder.path).length + 1));
      return entry === null ? null : (toScripts(id, [entry])[0] ?? null);
    },
    resolveImport: (from, path) => resolveImport(space, from, path),
  };
}

function findPackage(context: CatalogContext, principal: Principal, text: string): PackagePlace {
  const { item, path, chain } = findVisible(context, principal, text);
  return isFolder(item.type)
    ? { id: item.id, file: null }
    : { id: elementAt(chain, -2), file: printPath(path) };
}

/** The folder or file at a path from a folder; null without one. */
function findBelow(reader: Reader, base: string, text: string): PackagePlace | null {
  const names = text.split('/').filter((name) => name !== '' && name !== '.');
  let id = base;
  for (const [depth, name] of names.entries()) {
    const entry = findSpelled(reader.listEntries(id), name);
    const isLast = depth === names.length - 1;
    if (entry === undefined || (entry.kind !== 'folder' && !isLast)) return null;
    if (entry.kind !== 'folder')
      return { id, file: `${printPath(getFolder(reader, id).path)}/${entry.name}` };
    id = entry.id;
  }
  return { id, file: null };
}

function toScript(
  { store, revisionKeys }: CatalogContext,
  folder: string,
  { id, name: fileName, revision, text }: FolderEntry,
): ScriptEntry {
  const name = `${folder}/${fileName}`;
  const version = revision === undefined ? {} : { version: revisionKeys(revision) };
  const read = () =>
    text === undefined
      ? { source: { name, text: store.readContent(id) ?? '', asset: id } }
      : { source: { name, text } };
  return { name, ...version, read };
}

/** A folder, its path, and the ids from the namespace's root to it. */
interface Folder {
  readonly id: string;
  readonly path: CatalogPath;
  readonly chain: readonly string[];
}

/** Reads items that the principal may view, each of them once. */
interface Reader {
  findFolder(id: string): Folder | null;
  listEntries(id: string): readonly FolderEntry[];
  /** The entry of a folder with a name, without listing the others. */
  findEntry(id: string, name: string): FolderEntry | null;
  /** The manifest directly in a folder. */
  readManifest(id: string): ManifestReading | null;
  listShelf(namespace: Namespace): ProjectShelf;
}

function createReader(context: CatalogContext, principal: Principal): Reader {
  const { store } = context;
  const findPlace = remember((id: string) => findVisibleById(context, principal, id));
  const findItem = (id: string) => {
    const place = findPlace(id);
    return place !== null && isFolder(place.item.type) ? place : null;
  };
  const findFolder = (id: string): Folder | null => {
    const place = findItem(id);
    return place === null ? null : { id, path: place.path, chain: place.chain };
  };
  const listEntries = remember((id: string) => {
    const folder = findItem(id);
    return folder === null ? [] : listVisible(context, principal, folder).map(toEntry);
  });
  const findEntry = (id: string, name: string) => {
    const child = findItem(id) === null ? undefined : store.findChildId(id, name);
    const place = child === undefined ? null : findPlace(child);
    return place && toEntry(place.item);
  };
  const readManifestIn = remember((id: string) => {
    const manifestId = findItem(id) === null ? undefined : store.findChildId(id, MANIFEST);
    const place = manifestId === undefined ? null : findPlace(manifestId);
    if (place === null || !isText(place.item.type)) return null;
    const text = store.readContent(place.item.id) ?? '';
    return context.manifests.read({ name: printPath(place.path), text });
  });
  let holders: readonly Folder[] | undefined;
  const listHolders = () => {
    holders ??= store.listHolders(MANIFEST).flatMap((id) => findFolder(id) ?? []);
    return holders;
  };
  const listShelf = remember((namespace: Namespace) =>
    toShelf(
      listHolders().filter(({ path }) => path.namespace === namespace),
      readManifestIn,
    ),
  );
  return { findFolder, listEntries, findEntry, readManifest: readManifestIn, listShelf };
}

function toEntry({ id, name, type, revision }: Child): FolderEntry {
  if (isFolder(type)) return { id, name, kind: 'folder' };
  return { id, name, kind: isScript(type) && name !== MANIFEST ? 'script' : 'other', revision };
}

/** A reader with files that replace, or are added to, the stored scripts. Throws 400 and 422. */
function createOverlayReader(
  stored: Reader,
  base: Pick<Folder, 'id' | 'path'>,
  files: readonly Source[],
): Reader {
  const overlay = placeFiles(stored, base, files);
  const findFolder = (id: string): Folder | null => {
    const created = overlay.findNew(id);
    if (created === null) return stored.findFolder(id);
    const parent = findFolder(created.parent);
    if (parent === null) return null;
    const { namespace, names } = parent.path;
    return { id, path: { namespace, names: [...names, created.name] }, chain: [...parent.chain, id] };
  };
  const readOwn = remember((id: string) => {
    const text = overlay.listEntries(id).find(({ name }) => name === MANIFEST)?.text;
    const folder = text === undefined ? null : findFolder(id);
    if (text === undefined || folder === null) return null;
    return readManifest({ name: `${printPath(folder.path)}/${MANIFEST}`, text });
  });
  return {
    ...stored,
    findFolder,
    listEntries: overlay.listEntries,
    findEntry: (id, name) => overlay.listEntries(id).find((entry) => entry.name === name) ?? null,
    readManifest: (id) => readOwn(id) ?? (overlay.findNew(id) === null ? stored.readManifest(id) : null),
  };
}

function placeFiles(stored: Reader, { id, path }: Pick<Folder, 'id' | 'path'>, files: readonly Source[]) {
  try {
    return createOverlay(id, files, stored.listEntries);
  } catch (error) {
    if (!(error instanceof OverlayError)) throw error;
    throw overlayErrors[error.reason](`${printPath(path)}/${error.path}`);
  }
}

function toShelf(
  folders: readonly Folder[],
  readManifestIn: (id: string) => ManifestReading | null,
): ProjectShelf {
  const projects: Project[] = [];
  const invalidManifests: string[] = [];
  for (const { id, path } of folders) {
    const { manifest, errors } = readManifestIn(id) ?? {};
    if (manifest !== undefined) projects.push({ id, manifest });
    if (errors !== undefined) invalidManifests.push(`${printPath(path)}/${MANIFEST}`);
  }
  return { projects, invalidManifests };
}

function getFolder(reader: Reader, id: string): Folder {
  const folder = reader.findFolder(id);
  if (folder === null) throw new Error(`no package of this loader: ${id}`);
  return folder;
}

function createSpace(reader: Reader): PackageSpace {
  const { listEntries } = reader;
  const get = (id: string) => getFolder(reader, id);
  const listFolders = (id: string) => listEntries(id).filter(({ kind }) => kind === 'folder');

  function findProject(id: string): Project | null {
    for (const folder of [...get(id).chain].reverse()) {
      const { manifest, errors } = reader.readManifest(folder) ?? {};
      if (errors !== undefined) throw new DiagnosticError(errors);
      if (manifest !== undefined) return { id: folder, manifest };
    }
    return null;
  }

  function printName(id: string): string {
    const { path } = get(id);
    const project = findProject(id);
    if (project === null) return path.names.length === 0 ? MAIN : printPath(path);
    const { names } = get(project.id).path;
    return [project.manifest.general.name, ...path.names.slice(names.length)].join('/');
  }

  return {
    findProject,
    listShelves: (id) => listNamespaces(get(id)).values().map(reader.listShelf),
    findRoot: (id) => elementAt(get(id).chain, 0),
    findChild: (id, name) => listFolders(id).find((folder) => folder.name === name)?.id ?? null,
    listChildNames: (id) => listFolders(id).map(({ name }) => name),
    hasScripts: (id) => listEntries(id).some(({ kind }) => kind === 'script'),
    printName,
    printPath: (id) => printPath(get(id).path),
  };
}

/** The namespaces of dependencies, nearest first. */
function listNamespaces({ path }: Folder): ReadonlySet<Namespace> {
  return new Set([path.namespace, '@Shared', '@Project Hub']);
}
