import { listPackages } from '../engine/project/list-packages.ts';
import type { ManifestReading } from '../engine/project/manifest.ts';
import type { PackageLoader, PackagePlace, Project } from '../engine/project/package-loader.ts';
import { remember } from '../engine/project/remember.ts';
import {
  findNamedPackage,
  MAIN,
  type PackageSpace,
  type ProjectShelf,
  resolveImport,
} from '../engine/project/resolve-import.ts';
import type { PackageSource } from '../engine/project/script-loader.ts';
import { DiagnosticError } from '../engine/text/diagnostic.ts';
import type { Principal } from '../identity/principal/principal.ts';
import { elementAt } from '../invariants/must.ts';
import { isFolder, isScript, isText } from './asset.ts';
import type { CatalogContext } from './context.ts';
import { findVisible, findVisibleById, type LocatedItem, listVisible, rootId } from './find-item.ts';
import { type Namespace, printPath } from './path.ts';
import type { Child } from './store.ts';

const MANIFEST = 'project.toml';

/**
 * A loader of the catalog's scripts that a principal may view (language 1); the id of a package is that of its folder.
 * Use it within one transaction: it reads each manifest and each package once. `findPackage` throws 404, `readPackage`
 * and `resolveImport` throw DiagnosticError when the manifest of a package's project has errors.
 */
export function createCatalogLoader(context: CatalogContext, principal: Principal): PackageLoader {
  const reader = createReader(context, principal);
  const space = createSpace(reader);
  return {
    findPackage: (path) => findPackage(context, principal, path),
    findNamed: (path) => findNamedPackage(space, rootId('@Personal', principal), path),
    listPackages: (id) => listPackages(space, id),
    findProject: space.findProject,
    readPackage: remember((id: string) => readPackage(context, reader, space, id)),
    resolveImport: (from, path) => resolveImport(space, from, path),
  };
}

function findPackage(context: CatalogContext, principal: Principal, text: string): PackagePlace {
  const { item, path, chain } = findVisible(context, principal, text);
  return isFolder(item.type)
    ? { id: item.id, file: null }
    : { id: elementAt(chain, -2), file: printPath(path) };
}

function readPackage(
  { store }: CatalogContext,
  reader: Reader,
  space: PackageSpace,
  id: string,
): PackageSource | null {
  const folder = reader.findFolder(id);
  if (folder === null) return null;
  const path = printPath(folder.path);
  const files = reader
    .listChildren(id)
    .filter(isFile)
    .map((child) => {
      return { name: `${path}/${child.name}`, text: store.readContent(child.id) ?? '' };
    });
  return { id, name: space.printName(id), files };
}

function isFile({ name, type }: Child): boolean {
  return isScript(type) && name !== MANIFEST;
}

/** Reads items that the principal may view, each of them once. */
interface Reader {
  findFolder(id: string): LocatedItem | null;
  listChildren(id: string): readonly Child[];
  /** The manifest directly in a folder. */
  readManifest(id: string): ManifestReading | null;
  listShelf(namespace: Namespace): ProjectShelf;
}

function createReader(context: CatalogContext, principal: Principal): Reader {
  const { store } = context;
  const findPlace = remember((id: string) => findVisibleById(context, principal, id));
  const findFolder = (id: string) => {
    const place = findPlace(id);
    return place !== null && isFolder(place.item.type) ? place : null;
  };
  const listChildren = remember((id: string) => {
    const folder = findFolder(id);
    return folder === null ? [] : listVisible(context, principal, folder);
  });
  const readManifestIn = remember((id: string) => {
    const manifestId = findFolder(id) === null ? undefined : store.findChildId(id, MANIFEST);
    const place = manifestId === undefined ? null : findPlace(manifestId);
    if (place === null || !isText(place.item.type)) return null;
    const text = store.readContent(place.item.id) ?? '';
    return context.manifests.read({ name: printPath(place.path), text });
  });
  let holders: readonly LocatedItem[] | undefined;
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
  return { findFolder, listChildren, readManifest: readManifestIn, listShelf };
}

function toShelf(
  folders: readonly LocatedItem[],
  readManifestIn: (id: string) => ManifestReading | null,
): ProjectShelf {
  const projects: Project[] = [];
  const invalidManifests: string[] = [];
  for (const { item, path } of folders) {
    const { manifest, errors } = readManifestIn(item.id) ?? {};
    if (manifest !== undefined) projects.push({ id: item.id, manifest });
    if (errors !== undefined) invalidManifests.push(`${printPath(path)}/${MANIFEST}`);
  }
  return { projects, invalidManifests };
}

function createSpace({ findFolder, listChildren, readManifest, listShelf }: Reader): PackageSpace {
  const getFolder = (id: string) => {
    const folder = findFolder(id);
    if (folder === null) throw new Error(`no package of this loader: ${id}`);
    return folder;
  };

  function findProject(id: string): Project | null {
    for (const folder of [...getFolder(id).chain].reverse()) {
      const { manifest, errors } = readManifest(folder) ?? {};
      if (errors !== undefined) throw new DiagnosticError(errors);
      if (manifest !== undefined) return { id: folder, manifest };
    }
    return null;
  }

  function printName(id: string): string {
    const { path } = getFolder(id);
    const project = findProject(id);
    if (project === null) return path.names.length === 0 ? MAIN : printPath(path);
    const { names } = getFolder(project.id).path;
    return [project.manifest.general.name, ...path.names.slice(names.length)].join('/');
  }

  return {
    findProject,
    listShelves: (id) => listNamespaces(getFolder(id)).values().map(listShelf),
    findRoot: (id) => elementAt(getFolder(id).chain, 0),
    findChild: (id, name) =>
      listChildren(id).find((child) => isFolder(child.type) && child.name === name)?.id ?? null,
    listChildNames: (id) =>
      listChildren(id)
        .filter(({ type }) => isFolder(type))
        .map(({ name }) => name),
    hasScripts: (id) => listChildren(id).some(isFile),
    printName,
    printPath: (id) => printPath(getFolder(id).path),
  };
}

/** The namespaces of dependencies, nearest first. */
function listNamespaces({ path }: LocatedItem): ReadonlySet<Namespace> {
  return new Set([path.namespace, '@Shared', '@Project Hub']);
}
