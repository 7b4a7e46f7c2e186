import path from 'node:path';
import type { Manifest } from '../../engine/project/manifest.ts';
import type { PackageLoader, PackagePlace, ScriptLoader } from '../../engine/project/package-loader.ts';
import type { Need } from '../../engine/project/snapshot.ts';
import { collectSnapshot } from '../../engine/script/load/collect-snapshot.ts';
import type { Params } from '../../engine/script/params/params.ts';
import type { Source } from '../../engine/text/source.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Work } from '../../execution/contract/request.ts';
import { notNull } from '../../invariants/must.ts';
import { trimCharacter } from '../../text/trim-character.ts';
import { runErrors, unknownTest } from '../api/errors.ts';
import type { BlockTarget, LocalScript, TestTarget } from '../api/target.ts';
import { resolveSelector } from './test-selectors.ts';

/** The package of a script without a folder. */
const ALONE = 'main';

/** A resolved target. */
export interface FoundTarget {
  /** The manifest of its project. Throws a DiagnosticError for an invalid one. */
  readonly findManifest: () => Manifest | null;
  /** Reads everything that the run needs, including all transitive imports. */
  readonly readWork: () => Work;
  /** False for a target that does not run, unless it names a connection. */
  readonly needsConnection?: boolean;
}

interface FoundScript extends FoundTarget {
  readonly readWork: () => Extract<Work, { kind: 'script' }>;
}

type Block = Pick<BlockTarget, 'package' | 'block' | 'args'>;
type Tests = Pick<TestTarget, 'include' | 'exclude' | 'parallel' | 'failFast'>;

// Each function below resolves its target with a loader, and throws a ServiceError for a missing target.

/** A script, and by default nothing else that it does not need. */
export function findScript(
  loader: PackageLoader,
  path: string,
  params: Params,
  need: Omit<Need, 'id'> | null = null,
): FoundScript {
  const place = loader.findPackage(path);
  if (place === null || place.file === null) throw runErrors.notAnAsset();
  const { id, file } = place;
  if (!hasFile(loader, id, file)) throw runErrors.notAScript(path);
  return {
    findManifest: () => findManifest(loader, id),
    readWork: () => {
      const snapshot = collectSnapshot(loader, [{ id, ...(need ?? { file }) }], params);
      return { kind: 'script', snapshot, file };
    },
  };
}

/** A source, run in the package of its folder if it is one of its files, else in a separate package. */
export function findFile(loader: PackageLoader, { path, source }: LocalScript, params: Params): FoundTarget {
  const place = path === null ? null : loader.findPackage(path);
  if (place !== null && place.file !== null && hasFile(loader, place.id, place.file)) {
    const { id, file } = place;
    return {
      findManifest: () => findManifest(loader, id),
      readWork: () => ({ kind: 'script', snapshot: collectSnapshot(loader, [{ id, file }], params), file }),
    };
  }
  const folder = place?.id ?? notNull(loader.findPackage('.')).id;
  return {
    findManifest: () => findManifest(loader, folder),
    readWork: () => {
      const snapshot = collectSnapshot(
        besides(loader, folder, source),
        [{ id: ALONE, file: source.name }],
        params,
      );
      return { kind: 'script', snapshot, file: source.name };
    },
  };
}

/** Finds a block with a loader that reports missing paths itself. */
export function findNamedBlock(loader: PackageLoader, target: Block, params: Params): FoundTarget {
  const name = target.package;
  const named = /^\/?@/.test(name) ? null : loader.findNamed(name);
  const id = named?.kind === 'package' ? named.id : notNull(loader.findPackage(name)).id;
  return findBlock(loader, id, target, params);
}

export function findLocalBlock(loader: PackageLoader, target: Block, params: Params): FoundTarget {
  const place = loader.findPackage(target.package);
  if (place !== null) return findBlock(loader, place.id, target, params);
  const imported = loader.findNamed(target.package);
  if (imported.kind === 'missing') throw runErrors.noPackage(target.package, imported.message);
  return findBlock(loader, imported.id, target, params);
}

function findBlock(loader: PackageLoader, id: string, target: Block, params: Params): FoundTarget {
  const { block, args } = target;
  return {
    findManifest: () => findManifest(loader, id),
    readWork: () => {
      const snapshot = collectSnapshot(loader, [{ id, name: block }], params);
      if (snapshot.packages.length === 0) throw runErrors.noScripts();
      return { kind: 'block', snapshot, block, args };
    },
  };
}

/** Tests of the project around the loader's folder, or without a project, of that folder. */
export function findLocalTests(loader: PackageLoader, target: Tests, params: Params): FoundTarget {
  const { id } = notNull(loader.findPackage('.'));
  const project = loader.findProject(id);
  const resolve = (selector: string) => resolveSelector(selector, id, project);
  const resolved = {
    ...target,
    include: target.include.map(resolve),
    exclude: target.exclude.map(resolve),
  };
  return findTests(loader, [project?.id ?? id], resolved, params, (packages) =>
    narrow(packages, resolved, {
      from: id,
      project: project?.id ?? id,
      name: project?.manifest.general.name,
    }),
  );
}

/**
 * Tests of the catalog folder `base` and everything below it. Selectors are paths from that folder, or names of packages
 * and tests. Errors in folders that no selector names do not matter.
 */
export function findTestsBelow(
  loader: PackageLoader,
  base: string,
  target: Tests,
  params: Params,
): FoundTarget {
  const { id } = notNull(loader.findPackage('.'));
  const resolve = (selector: string) =>
    findFolder(loader, selector) === null ? selector : join(base, selector);
  const { include, exclude } = target;
  const named = include.map((selector) => findFolder(loader, selector));
  const folders = named.filter((folder) => folder !== null);
  const isNarrow = folders.length > 0 && folders.length === named.length;
  const resolved = { ...target, include: include.map(resolve), exclude: exclude.map(resolve) };
  return findTests(loader, isNarrow ? folders : [id], resolved, params);
}

/** The folder at the start of a selector; null if the selector does not start with the path of a folder. */
function findFolder(loader: PackageLoader, selector: string): string | null {
  const [fixed = ''] = selector.split('*', 1);
  const path = fixed === selector ? selector : fixed.replace(/[^/]*$/, '');
  const places = [path, path.replace(/[./][^./]*$/, '')].map((candidate) =>
    candidate === '' ? null : tryFind(loader, candidate),
  );
  return places.find((place) => place?.file === null)?.id ?? null;
}

function join(base: string, selector: string): string {
  return path.posix.join(trimCharacter(base, '/'), selector);
}

/** The start folder of selectors, and the project name that they start with. */
interface SelectorScope {
  readonly from: string;
  readonly project: string;
  readonly name: string | undefined;
}

/**
 * The packages that selectors can match, so that errors in other packages do not matter; all packages if this is not
 * certain.
 */
function narrow(
  packages: readonly string[],
  { include, exclude }: Tests,
  place: SelectorScope,
): readonly string[] {
  if (include.length === 0 || exclude.length > 0) return packages;
  const matches = include.map((selector) => packages.filter((id) => mayMean(id, selector, place)));
  return matches.every((some) => some.length > 0)
    ? packages.filter((id) => matches.flat().includes(id))
    : packages;
}

function mayMean(id: string, selector: string, { from, project, name }: SelectorScope): boolean {
  const [fixed = ''] = trimCharacter(selector.replace(/^\.\//, ''), '/').split('*', 1);
  const inside = path.relative(project, id);
  const names = [
    path.relative(from, id),
    inside,
    ...(name === undefined ? [] : [path.posix.join(name, inside)]),
  ];
  if (fixed === '' || fixed === '.') return true;
  return names.some((candidate) => {
    if (candidate === fixed || candidate.startsWith(`${fixed}/`)) return true;
    const isPattern = selector.includes('*');
    if (fixed.startsWith(`${candidate}.`)) return true;
    return isPattern && (candidate.startsWith(fixed) || fixed.startsWith(`${candidate}/`));
  });
}

/** Tests of folders and everything below them. Throws an UnknownNameError for selectors without any scripts. */
export function findTests(
  loader: PackageLoader,
  folders: readonly string[],
  { include, exclude, parallel, failFast }: Tests,
  params: Params,
  choose = (packages: readonly string[]) => packages,
): FoundTarget {
  const packages = choose([...new Set(folders.flatMap((folder) => loader.listPackages(folder)))]);
  const [first, ...others] = packages;
  const [selector] = include;
  if (first === undefined) throw selector === undefined ? runErrors.noScripts() : unknownTest(selector);
  return {
    findManifest: () => findManifest(loader, first),
    readWork: () => {
      const snapshot = collectSnapshot(loader, [{ id: first }, ...others.map((id) => ({ id }))], params);
      return { kind: 'tests', snapshot, selection: { packages, include, exclude }, parallel, failFast };
    },
  };
}

/**
 * The catalog folders at the start of selectors; a selector is a folder, or a folder and a test. Throws an
 * UnknownNameError for a selector without a folder.
 */
export function findCatalogFolders(loader: PackageLoader, { include }: Tests): readonly string[] {
  return include.map((selector) => {
    const [fixed = ''] = selector.split('*', 1);
    const path = fixed === selector ? selector : fixed.replace(/\/[^/]*$/, '');
    const folder = tryFind(loader, path) ?? tryFind(loader, path.replace(/[./][^./]*$/, ''));
    if (folder === null) throw unknownTest(selector);
    return folder.id;
  });
}

function tryFind(loader: PackageLoader, path: string): PackagePlace | null {
  try {
    return loader.findPackage(path);
  } catch (error) {
    if (error instanceof ServiceError) return null;
    throw error;
  }
}

function findManifest(loader: PackageLoader, id: string): Manifest | null {
  return loader.findProject(id)?.manifest ?? null;
}

function hasFile(loader: ScriptLoader, id: string, file: string): boolean {
  return loader.findScript(id, file) !== null;
}

/** A loader with an additional package of one source, which resolves imports like a folder. */
function besides(loader: ScriptLoader, folder: string, source: Source): ScriptLoader {
  const script = { name: source.name, read: () => ({ source }) };
  return {
    printName: (id) => (id === ALONE ? ALONE : loader.printName(id)),
    listScripts: (id) => (id === ALONE ? [script] : loader.listScripts(id)),
    findScript: (id, name) => (id === ALONE ? script : loader.findScript(id, name)),
    resolveImport: (from, path) => loader.resolveImport(from === ALONE ? folder : from, path),
  };
}
