import path from 'node:path';
import { NAMESPACES } from '../../catalog/path.ts';
import { createLocalLoader } from '../../engine/project/local-loader.ts';
import { createMemoryTree, MEMORY_ROOT } from '../../engine/project/memory-tree.ts';
import type { ImportTarget, PackageLoader, PackagePlace } from '../../engine/project/package-loader.ts';
import type { Params } from '../../engine/script/params/params.ts';
import type { Source } from '../../engine/text/source.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { SqlWork } from '../../execution/contract/request.ts';
import { runErrors } from '../api/errors.ts';
import type { BundleTarget, Target } from '../api/target.ts';
import { findInBundle } from './bundle-target.ts';
import {
  type FoundTarget,
  findCatalogFolders,
  findFile,
  findLocalBlock,
  findLocalTests,
  findNamedBlock,
  findScript,
  findTests,
} from './find-target.ts';
import type { WithLoader } from './scripts.ts';

type Found<T> = (target: FoundTarget) => T;

/**
 * Passes the target of a run to `use`; the target is valid only during the call. Throws a ServiceError for a missing
 * target, an UnknownNameError, a DiagnosticError for an invalid manifest, a ParamError.
 */
export function withTarget<T>(
  target: Exclude<Target, SqlWork>,
  params: Params,
  withCatalog: WithLoader,
  use: Found<T>,
): T {
  switch (target.kind) {
    case 'script':
      return withCatalog((loader) => use(findScript(loader, target.path, params)));
    case 'file':
      return use(findFile(createLocalLoader(target), target, params));
    case 'block':
      return target.disk === null
        ? withCatalog((loader) => use(findNamedBlock(loader, target, params)))
        : use(findLocalBlock(createLocalLoader(target.disk), target, params));
    case 'tests':
      return target.disk === null
        ? withCatalog((loader) => use(findTests(loader, findCatalogFolders(loader, target), target, params)))
        : use(findLocalTests(createLocalLoader(target.disk), target, params));
    case 'bundle':
      return withBundle(target, withCatalog, (loader) => use(findInBundle(target, params, loader)));
  }
}

/** A loader of the files of a bundle, alone or on top of a folder of the catalog. */
function withBundle<T>(
  { files, base }: BundleTarget,
  withCatalog: WithLoader,
  work: (loader: PackageLoader) => T,
): T {
  if (base !== undefined) return withCatalog(work, { base, files });
  return withCatalog((catalog) => work(createBundleLoader(files, catalog)));
}

/**
 * A loader of sent files, which behave like a folder on a disk. Import paths that start with a namespace are resolved
 * in the catalog. Nothing is read from a disk. `findPackage` throws 404.
 */
function createBundleLoader(files: readonly Source[], catalog: PackageLoader): PackageLoader {
  const bundle = createLocalLoader({ cwd: MEMORY_ROOT, tree: createMemoryTree(files) });
  return {
    ...bundle,
    findPackage(typed) {
      const place = bundle.findPackage(typed);
      if (place === null) throw runErrors.notInBundle(typed);
      return place;
    },
    printName: (id) => (isOwn(id) ? bundle : catalog).printName(id),
    listScripts: (id) => (isOwn(id) ? bundle : catalog).listScripts(id),
    findScript: (id, name) => (isOwn(id) ? bundle : catalog).findScript(id, name),
    resolveImport(from, importPath) {
      if (!isOwn(from)) return catalog.resolveImport(from, importPath);
      return isInCatalog(importPath)
        ? findInCatalog(catalog, importPath)
        : bundle.resolveImport(from, importPath);
    },
  };
}

/** The ids of the catalog are not paths. */
function isOwn(id: string): boolean {
  return path.isAbsolute(id);
}

function isInCatalog(importPath: string): boolean {
  return NAMESPACES.some((namespace) => importPath === namespace || importPath.startsWith(`${namespace}/`));
}

function findInCatalog(catalog: PackageLoader, importPath: string): ImportTarget {
  const place = tryFind(catalog, importPath);
  if (place === null)
    return { kind: 'missing', message: `there is no folder \`${importPath}\` in the catalog` };
  const { id, file } = place;
  if (file !== null) {
    return { kind: 'missing', message: `\`${importPath}\` is a script: import the folder that it is in` };
  }
  if (catalog.listScripts(id)?.length) return { kind: 'package', id };
  return { kind: 'missing', message: `there are no scripts directly in ${importPath}` };
}

function tryFind(catalog: PackageLoader, importPath: string): PackagePlace | null {
  try {
    return catalog.findPackage(importPath);
  } catch (error) {
    if (error instanceof ServiceError) return null;
    throw error;
  }
}
