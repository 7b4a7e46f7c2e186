import type { PackageLoader } from '../../engine/project/package-loader.ts';
import { collectSnapshot } from '../../engine/script/load/collect-snapshot.ts';
import type { Params } from '../../engine/script/params/params.ts';
import { DiagnosticError } from '../../engine/text/diagnostic.ts';
import { notNull } from '../../invariants/must.ts';
import { runErrors } from '../api/errors.ts';
import type { BundleTarget } from '../api/target.ts';
import {
  type FoundTarget,
  findLocalTests,
  findNamedBlock,
  findScript,
  findTestsBelow,
} from './find-target.ts';

/** Finds the target in a bundle, by its loader. Throws a ServiceError if the bundle does not contain it. */
export function findInBundle(
  { base, use }: BundleTarget,
  params: Params,
  loader: PackageLoader,
): FoundTarget {
  switch (use.kind) {
    case 'script':
      return findScript(loader, use.path, params);
    case 'block':
      return findNamedBlock(loader, use, params);
    case 'tests':
      return base === undefined
        ? findLocalTests(loader, use, params)
        : findTestsBelow(loader, base, use, params);
    case 'check':
      return findCheck(loader, use.path, params);
    case 'compile':
      return findCompile(loader, use.path, params);
    case 'symbols':
      return findSymbols(loader, use.path, params);
  }
}

function findCompile(loader: PackageLoader, path: string, params: Params): FoundTarget {
  const { findManifest, readWork } = findScript(loader, path, params);
  return {
    findManifest,
    needsConnection: false,
    readWork: () => ({ ...readWork(), kind: 'compile' }),
  };
}

function findSymbols(loader: PackageLoader, path: string, params: Params): FoundTarget {
  const { readWork } = findScript(loader, path, params, { withImports: true });
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

function findCheck(loader: PackageLoader, path: string, params: Params): FoundTarget {
  const { id, file } = notNull(loader.findPackage(path));
  const [first, ...others] = file === null ? loader.listPackages(id) : [id];
  if (first === undefined) throw runErrors.noScripts();
  return {
    findManifest: () => loader.findProject(id)?.manifest ?? null,
    needsConnection: false,
    readWork: () => {
      const needs = [{ id: first }, ...others.map((packageId) => ({ id: packageId }))] as const;
      try {
        return { kind: 'check', snapshot: collectSnapshot(loader, needs, params), file, diagnostics: [] };
      } catch (error) {
        if (!(error instanceof DiagnosticError)) throw error;
        const { diagnostics } = error;
        return { kind: 'check', snapshot: { needs, packages: [] }, file, diagnostics };
      }
    },
  };
}
