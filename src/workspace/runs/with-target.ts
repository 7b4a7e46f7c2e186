import path from 'node:path';
import { NAMESPACES } from '../../catalog/path.ts';
import { createLocalLoader } from '../../engine/project/local-loader.ts';
import { createMemoryTree, MEMORY_ROOT } from '../../engine/project/memory-tree.ts';
import type { ImportTarget, PackageLoader, PackagePlace } from '../../engine/project/package-loader.ts';
import { collectSnapshot, type ParamSources } from '../../engine/script/load/collect-snapshot.ts';
import { DiagnosticError } from '../../engine/text/diagnostic.ts';
import type { Source } from '../../engine/text/source.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { SqlWork } from '../../execution/contract/request.ts';
import { notNull } from '../../invariants/must.ts';
import { runErrors } from '../api/errors.ts';
import type { BuildTarget, BundleTarget, Target, TestTarget } from '../api/target.ts';
import {
  type FoundSelection,
  type FoundTarget,
  findCatalogSelection,
  findFile,
  findLocalBlock,
  findLocalSelection,
  findNamedBlock,
  findScript,
  findSelectionBelow,
} from './find-target.ts';
import type { WithLoader } from './scripts.ts';

type UseTarget<T> = (target: FoundTarget) => T;

/**
 * Passes the target of a run to `use`; the target is valid only during the call. Throws a ServiceError for a missing
 * target, an UnknownNameError, a DiagnosticError for an invalid manifest, a ParamError.
 */
export function withTarget<T>(
  target: Exclude<Target, SqlWork>,
  values: ParamSources,
  withCatalog: WithLoader,
  use: UseTarget<T>,
): T {
  switch (target.kind) {
    case 'script':
      return withCatalog((loader) => use(findScript(loader, target.path, values)));
    case 'file':
      return use(findFile(createLocalLoader(target), target, values));
    case 'block':
      return target.disk === null
        ? withCatalog((loader) => use(findNamedBlock(loader, target, values)))
        : use(findLocalBlock(createLocalLoader(target.disk), target, values));
    case 'tests':
    case 'build': {
      const isWhole = target.kind === 'build';
      return target.disk === null
        ? withCatalog((loader) => use(toWork(findCatalogSelection(loader, target, values, isWhole), target)))
        : use(toWork(findLocalSelection(createLocalLoader(target.disk), target, values, isWhole), target));
    }
    case 'bundle':
      return withBundle(target, withCatalog, (loader) => use(findInBundle(target, values, loader)));
  }
}

/** Makes selectors the work of a target: to run tests, or to build. */
function toWork(
  { findManifest, readSelection }: FoundSelection,
  target: Omit<TestTarget, 'disk'> | Omit<BuildTarget, 'disk'>,
): FoundTarget {
  const { parallel, failFast, storeFailures } = target;
  return {
    findManifest,
    readWork: () =>
      target.kind === 'tests'
        ? {
            kind: 'tests',
            ...readSelection(),
            parallel,
            failFast,
            storeFailures,
            canFail: target.canFail,
          }
        : {
            kind: 'build',
            mode: target.mode,
            ...readSelection(),
            parallel,
            failFast,
            storeFailures,
            fullRefresh: target.fullRefresh,
          },
  };
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
    findProject: (id) => (isOwn(id) ? bundle : catalog).findProject(id),
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

/** Finds the target in a bundle, by its loader. Throws a ServiceError if the bundle does not contain it. */
function findInBundle({ base, use }: BundleTarget, values: ParamSources, loader: PackageLoader): FoundTarget {
  switch (use.kind) {
    case 'script':
      return findScript(loader, use.path, values);
    case 'block':
      return findNamedBlock(loader, use, values);
    case 'tests':
      return base === undefined
        ? toWork(findLocalSelection(loader, use, values, false), use)
        : toWork(findSelectionBelow(loader, base, use, values), use);
    case 'check':
      return findCheck(loader, use.path, values);
    case 'compile':
      return findCompile(loader, use.path, values);
    case 'symbols':
      return findSymbols(loader, use.path, values);
  }
}

function findCompile(loader: PackageLoader, path: string, values: ParamSources): FoundTarget {
  const { findManifest, readWork } = findScript(loader, path, values);
  return {
    findManifest,
    needsConnection: false,
    readWork: () => ({ ...readWork(), kind: 'compile' }),
  };
}

function findSymbols(loader: PackageLoader, path: string, values: ParamSources): FoundTarget {
  const { readWork } = findScript(loader, path, values, { withImports: true });
  return {
    findManifest: () => null,
    needsConnection: false,
    readWork: () => {
      const { snapshot, file } = readWork();
      const { id } = snapshot.needs[0];
      const { environments } = loader.findProject(id)?.manifest ?? {};
      const usual = environments?.byKey.get(environments.default ?? '');
      return {
        kind: 'symbols',
        snapshot,
        file,
        packages: listImportPaths(loader, id),
        connection: usual?.connection.name ?? null,
      };
    },
  };
}

/** The maximum of listed import paths. */
const MAX_PATHS = 1_000;

/** The paths of the packages in the project of a package; without a project, in its folder and below it. */
function listImportPaths(loader: PackageLoader, id: string): readonly string[] {
  const project = loader.findProject(id);
  const names = loader
    .listPackages(project?.id ?? id)
    .slice(0, MAX_PATHS)
    .map(loader.printName);
  // Outside a project, the path starts in the namespace of the catalog.
  return project === null ? names.map((name) => name.replace(/^@[^/]*\//, '')) : names;
}

function findCheck(loader: PackageLoader, path: string, values: ParamSources): FoundTarget {
  const { id, file } = notNull(loader.findPackage(path));
  const [first, ...others] = file === null ? loader.listPackages(id) : [id];
  if (first === undefined) throw runErrors.noScripts();
  return {
    findManifest: () => loader.findProject(id)?.manifest ?? null,
    needsConnection: false,
    readWork: () => {
      const needs = [{ id: first }, ...others.map((packageId) => ({ id: packageId }))] as const;
      try {
        return { kind: 'check', snapshot: collectSnapshot(loader, needs, values), file, diagnostics: [] };
      } catch (error) {
        if (!(error instanceof DiagnosticError)) throw error;
        const { diagnostics } = error;
        return { kind: 'check', snapshot: { needs, packages: [] }, file, diagnostics };
      }
    },
  };
}
