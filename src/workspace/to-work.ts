import { createLocalLoader } from '../engine/project/local-loader.ts';
import type { Manifest } from '../engine/project/manifest.ts';
import type { PackageLoader } from '../engine/project/package-loader.ts';
import type { ScriptLoader } from '../engine/project/script-loader.ts';
import { collectSnapshot } from '../engine/script/collect-snapshot.ts';
import type { Params } from '../engine/script/params.ts';
import type { Source } from '../engine/text/source.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Work } from '../execution/request.ts';
import { runErrors } from './errors.ts';
import type { WithLoader } from './scripts.ts';
import { resolveSelector } from './test-selectors.ts';
import type { BlockTarget, RunTarget, TestTarget } from './workspace-api.ts';

/** The package of a script that is part of no folder. */
const ALONE = 'main';

/** What to run, and what the project says that it belongs to. */
export interface Planned {
  readonly work: Work;
  readonly manifest: Manifest | null;
}

/**
 * Reads everything that running a target needs, the import closure of a script included. Throws a ServiceError
 * for what is not there, an UnknownNameError, a DiagnosticError for a manifest with faults, a ParamError.
 */
export function toWork(
  target: Exclude<RunTarget, { readonly kind: 'text' }>,
  params: Params,
  withCatalog: WithLoader,
): Planned {
  switch (target.kind) {
    case 'asset':
      return withCatalog((loader) => collectAsset(loader, target.path, params));
    case 'file': {
      const loader = createLocalLoader(target);
      return collectFile(loader, target, params);
    }
    case 'block':
      return target.package.startsWith('@')
        ? withCatalog((loader) =>
            collectBlock(loader, loader.findPackage(target.package)!.id, target, params),
          )
        : collectDiskBlock(target, params);
    case 'tests':
      return target.place === 'catalog'
        ? withCatalog((loader) => collectTests(loader, findCatalogFolders(loader, target), target, params))
        : collectDiskTests(target, params);
  }
}

function collectAsset(loader: PackageLoader, path: string, params: Params): Planned {
  const place = loader.findPackage(path);
  if (place === null || place.file === null) throw runErrors.notAnAsset();
  const { id, file } = place;
  if (!hasFile(loader, id, file)) throw runErrors.notAScript(path);
  const work: Work = { kind: 'script', snapshot: collectSnapshot(loader, [id], params), file };
  return { work, manifest: findManifest(loader, id) };
}

function collectFile(
  loader: PackageLoader,
  { path, source }: Extract<RunTarget, { kind: 'file' }>,
  params: Params,
): Planned {
  const place = path === null ? null : loader.findPackage(path);
  if (place !== null && place.file !== null && hasFile(loader, place.id, place.file)) {
    const snapshot = collectSnapshot(loader, [place.id], params);
    const work: Work = { kind: 'script', snapshot, file: place.file };
    return { work, manifest: findManifest(loader, place.id) };
  }
  const folder = place?.id ?? loader.findPackage('.')!.id;
  const snapshot = collectSnapshot(besides(loader, folder, source), [ALONE], params);
  const work: Work = { kind: 'script', snapshot, file: source.name };
  return { work, manifest: findManifest(loader, folder) };
}

function collectDiskBlock(target: BlockTarget, params: Params): Planned {
  const loader = createLocalLoader(target);
  const place = loader.findPackage(target.package);
  if (place !== null) return collectBlock(loader, place.id, target, params);
  const imported = loader.resolveImport(loader.findPackage('.')!.id, target.package);
  if (imported.kind === 'missing') throw runErrors.noPackage(target.package, imported.message);
  return collectBlock(loader, imported.id, target, params);
}

function collectBlock(loader: PackageLoader, id: string, target: BlockTarget, params: Params): Planned {
  const snapshot = collectSnapshot(loader, [id], params);
  if (snapshot.packages.length === 0) throw runErrors.noScripts();
  const { block, args } = target;
  return { work: { kind: 'block', snapshot, block, args }, manifest: findManifest(loader, id) };
}

function collectDiskTests(target: TestTarget, params: Params): Planned {
  const loader = createLocalLoader(target);
  const { id } = loader.findPackage('.')!;
  const project = loader.findProject(id);
  const resolve = (selector: string) => resolveSelector(selector, id, project);
  const resolved = {
    ...target,
    include: target.include.map(resolve),
    exclude: target.exclude.map(resolve),
  };
  return collectTests(loader, [project?.id ?? id], resolved, params);
}

function collectTests(
  loader: PackageLoader,
  folders: readonly string[],
  { include, exclude, parallel, failFast }: TestTarget,
  params: Params,
): Planned {
  const packages = [...new Set(folders.flatMap((folder) => loader.listPackages(folder)))];
  const [first, ...others] = packages;
  if (first === undefined) throw runErrors.noScripts();
  const snapshot = collectSnapshot(loader, [first, ...others], params);
  const selection = { packages, include, exclude };
  const work: Work = { kind: 'tests', snapshot, selection, parallel, failFast };
  return { work, manifest: findManifest(loader, first) };
}

/** The folders of the catalog that selectors begin with; each is one, or one with a test behind it. */
function findCatalogFolders(loader: PackageLoader, { include }: TestTarget): readonly string[] {
  return include.map((selector) => {
    const [fixed = ''] = selector.split('*', 1);
    const path = fixed === selector ? selector : fixed.replace(/\/[^/]*$/, '');
    const found = tryFind(loader, path) ?? tryFind(loader, path.replace(/[./][^./]*$/, ''));
    return found ?? loader.findPackage(path)!.id;
  });
}

function tryFind(loader: PackageLoader, path: string): string | null {
  try {
    return loader.findPackage(path)?.id ?? null;
  } catch (error) {
    if (error instanceof ServiceError) return null;
    throw error;
  }
}

function findManifest(loader: PackageLoader, id: string): Manifest | null {
  return loader.findProject(id)?.manifest ?? null;
}

function hasFile(loader: ScriptLoader, id: string, file: string): boolean {
  return loader.readPackage(id)?.files.some(({ name }) => name === file) ?? false;
}

/** A loader with one more package, of one text, whose imports are those of a folder. */
function besides(loader: ScriptLoader, folder: string, source: Source): ScriptLoader {
  return {
    readPackage: (id) => (id === ALONE ? { id, name: ALONE, files: [source] } : loader.readPackage(id)),
    resolveImport: (from, path) => loader.resolveImport(from === ALONE ? folder : from, path),
  };
}
