import { createLocalLoader } from '../../engine/project/local-loader.ts';
import type { PackageLoader } from '../../engine/project/package-loader.ts';
import type { Params } from '../../engine/script/params/params.ts';
import type { SqlWork } from '../../execution/contract/request.ts';
import type { BundleTarget, Target } from '../api/target.ts';
import { createBundleLoader } from './bundle-loader.ts';
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

type Found<T> = (found: FoundTarget) => T;

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
