import path from 'node:path';
import type { Manifest } from '../../engine/project/manifest.ts';
import type { PackageLoader, PackagePlace, ScriptLoader } from '../../engine/project/package-loader.ts';
import type { Need, Snapshot } from '../../engine/project/snapshot.ts';
import { type NodeSelection, parseSelector } from '../../engine/script/graph/select.ts';
import { collectSnapshot, type ParamSources } from '../../engine/script/load/collect-snapshot.ts';
import type { Source } from '../../engine/text/source.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Work } from '../../execution/contract/request.ts';
import { notNull } from '../../invariants/must.ts';
import { trimCharacter } from '../../text/trim-character.ts';
import { runErrors, unknownSelector } from '../api/errors.ts';
import type { BlockTarget, LocalScript, TestTarget } from '../api/target.ts';
import { resolveSelector } from './resolve-selector.ts';

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

/** Resolved selectors, without what is done with the blocks and tests that they select. */
export interface FoundSelection extends Pick<FoundTarget, 'findManifest'> {
  /** Reads everything that the selected blocks and tests can need. */
  readonly readSelection: () => { readonly snapshot: Snapshot; readonly selection: NodeSelection };
}

type Block = Pick<BlockTarget, 'package' | 'block' | 'args'>;
type Selectors = Pick<TestTarget, 'include' | 'exclude'>;

// Each function below resolves its target with a loader, and throws a ServiceError for a missing target.

/** A script, and by default nothing else that it does not need. */
export function findScript(
  loader: PackageLoader,
  path: string,
  values: ParamSources,
  need: Omit<Need, 'id'> | null = null,
): FoundScript {
  const place = loader.findPackage(path);
  if (place === null || place.file === null) throw runErrors.notAnAsset();
  const { id, file } = place;
  if (!hasFile(loader, id, file)) throw runErrors.notAScript(path);
  return {
    findManifest: () => findManifest(loader, id),
    readWork: () => {
      const snapshot = collectSnapshot(loader, [{ id, ...(need ?? { file }) }], values);
      return { kind: 'script', snapshot, file };
    },
  };
}

/** A source, run in the package of its folder if it is one of its files, else in a separate package. */
export function findFile(
  loader: PackageLoader,
  { path, source }: LocalScript,
  values: ParamSources,
): FoundTarget {
  const place = path === null ? null : loader.findPackage(path);
  if (place !== null && place.file !== null && hasFile(loader, place.id, place.file)) {
    const { id, file } = place;
    return {
      findManifest: () => findManifest(loader, id),
      readWork: () => ({ kind: 'script', snapshot: collectSnapshot(loader, [{ id, file }], values), file }),
    };
  }
  const folder = place?.id ?? notNull(loader.findPackage('.')).id;
  return {
    findManifest: () => findManifest(loader, folder),
    readWork: () => {
      const snapshot = collectSnapshot(
        besides(loader, folder, source),
        [{ id: ALONE, file: source.name }],
        values,
      );
      return { kind: 'script', snapshot, file: source.name };
    },
  };
}

/** Finds a block with a loader that reports missing paths itself. */
export function findNamedBlock(loader: PackageLoader, target: Block, values: ParamSources): FoundTarget {
  const name = target.package;
  const named = /^\/?@/.test(name) ? null : loader.findNamed(name);
  const id = named?.kind === 'package' ? named.id : notNull(loader.findPackage(name)).id;
  return findBlock(loader, id, target, values);
}

export function findLocalBlock(loader: PackageLoader, target: Block, values: ParamSources): FoundTarget {
  const place = loader.findPackage(target.package);
  if (place !== null) return findBlock(loader, place.id, target, values);
  const imported = loader.findNamed(target.package);
  if (imported.kind === 'missing') throw runErrors.noPackage(target.package, imported.message);
  return findBlock(loader, imported.id, target, values);
}

function findBlock(loader: PackageLoader, id: string, target: Block, values: ParamSources): FoundTarget {
  const { block, args } = target;
  return {
    findManifest: () => findManifest(loader, id),
    readWork: () => {
      const snapshot = collectSnapshot(loader, [{ id, name: block }], values);
      if (snapshot.packages.length === 0) throw runErrors.noScripts();
      return { kind: 'block', snapshot, block, args };
    },
  };
}

/**
 * Selectors in the project around the loader's folder, or without a project, in that folder. `isWhole`: packages that no
 * selector names are read, too.
 */
export function findLocalSelection(
  loader: PackageLoader,
  { include, exclude }: Selectors,
  values: ParamSources,
  isWhole: boolean,
): FoundSelection {
  const { id } = notNull(loader.findPackage('.'));
  const project = loader.findProject(id);
  const resolve = (typed: string) => ({ typed, name: resolveSelector(typed, id, project) });
  const resolved = { include: include.map(resolve), exclude: exclude.map(resolve) };
  const scope = { from: id, project: project?.id ?? id, name: project?.manifest.general.name };
  return findSelection(loader, [scope.project], resolved, values, (packages) =>
    isWhole ? packages : narrow(packages, resolved, scope),
  );
}

/**
 * Selectors in the catalog folder `base` and everything below it: paths from that folder, or names of packages, blocks
 * and tests. Errors in folders that no selector names do not matter.
 */
export function findSelectionBelow(
  loader: PackageLoader,
  base: string,
  { include, exclude }: Selectors,
  values: ParamSources,
): FoundSelection {
  const { id } = notNull(loader.findPackage('.'));
  const resolve = (typed: string) => ({
    typed,
    name: findFolder(loader, typed) === null ? typed : join(base, typed),
  });
  const named = include.map((selector) => findFolder(loader, selector));
  const folders = named.filter((folder) => folder !== null);
  const isNarrow = folders.length > 0 && folders.length === named.length;
  const resolved = { include: include.map(resolve), exclude: exclude.map(resolve) };
  return findSelection(loader, isNarrow ? folders : [id], resolved, values);
}

/** The folder at the start of a selector; null if the selector does not start with the path of a folder. */
function findFolder(loader: PackageLoader, selector: string): string | null {
  const [fixed = ''] = selector.split('*', 1);
  const path = fixed === selector ? selector : fixed.replace(/[^/]*$/, '');
  const places = listFolders(path).map((candidate) => tryFind(loader, candidate));
  return places.find((place) => place?.file === null)?.id ?? null;
}

/** The possible folders of a selector, which may end with a name, such as `mart.Orders` or `mart.Orders.unique(id)`. */
function listFolders(selector: string): readonly string[] {
  const start = selector.lastIndexOf('/') + 1;
  const parts = selector.slice(start).split('.');
  const folders = parts.map((_, i) => selector.slice(0, start) + parts.slice(0, parts.length - i).join('.'));
  return [...folders, selector.slice(0, Math.max(start - 1, 0))].filter((folder) => folder !== '');
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
  { include, exclude }: Pick<NodeSelection, 'include' | 'exclude'>,
  place: SelectorScope,
): readonly string[] {
  if (include.length === 0 || exclude.length > 0) return packages;
  if (include.some(({ name }) => needsGraph(name))) return packages;
  const matches = include.map(({ name }) => packages.filter((id) => mayMean(id, name, place)));
  return matches.every((some) => some.length > 0)
    ? packages.filter((id) => matches.flat().includes(id))
    : packages;
}

/** Whether a selector selects by what blocks call. */
function needsGraph(selector: string): boolean {
  const { isBefore, isAfter, tag } = parseSelector(selector);
  return isBefore || isAfter || tag !== null;
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

/** Selectors in folders and everything below them. Throws an UnknownNameError for selectors without any scripts. */
function findSelection(
  loader: PackageLoader,
  folders: readonly string[],
  { include, exclude }: Pick<NodeSelection, 'include' | 'exclude'>,
  values: ParamSources,
  choose = (packages: readonly string[]) => packages,
): FoundSelection {
  const packages = choose([...new Set(folders.flatMap((folder) => loader.listPackages(folder)))]);
  const [first, ...others] = packages;
  const [selector] = include;
  if (first === undefined)
    throw selector === undefined ? runErrors.noScripts() : unknownSelector(selector.typed);
  return {
    findManifest: () => findManifest(loader, first),
    readSelection: () => {
      const snapshot = collectSnapshot(loader, [{ id: first }, ...others.map((id) => ({ id }))], values);
      return { snapshot, selection: { packages, include, exclude } };
    },
  };
}

/**
 * Selectors in the catalog: each begins with a folder, or with a folder and a block or test. `isWhole`: the projects
 * around those folders are read. Throws an UnknownNameError for a selector without a folder.
 */
export function findCatalogSelection(
  loader: PackageLoader,
  { include, exclude }: Selectors,
  values: ParamSources,
  isWhole: boolean,
): FoundSelection {
  const folders = include.map((typed) => {
    const { name, isBefore, isAfter } = parseSelector(typed);
    const [fixed = ''] = name.split('*', 1);
    const path = fixed === name ? name : fixed.replace(/\/[^/]*$/, '');
    const folders = listFolders(path).map((candidate) => tryFind(loader, candidate));
    const folder = folders.find((place) => place !== null);
    if (folder === undefined) throw unknownSelector(typed);
    return isWhole || isBefore || isAfter ? (loader.findProject(folder.id)?.id ?? folder.id) : folder.id;
  });
  const toSelector = (typed: string) => ({ typed, name: typed });
  const selectors = { include: include.map(toSelector), exclude: exclude.map(toSelector) };
  return findSelection(loader, folders, selectors, values);
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
    findProject: (id) => loader.findProject(id === ALONE ? folder : id),
    resolveImport: (from, path) => loader.resolveImport(from === ALONE ? folder : from, path),
  };
}
