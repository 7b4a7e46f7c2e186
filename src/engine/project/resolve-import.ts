import { elementAt, entryOf } from '../../invariants/must.ts';
import { suggest } from '../../text/suggest.ts';
import { isBelow, splitNames } from './import-path.ts';
import type { ImportTarget, Project } from './package-loader.ts';

/** The projects of one place that is searched for dependencies. */
export interface ProjectShelf {
  readonly projects: readonly Project[];
  /** The names, for messages, of manifests with errors; the names of their projects are unknown. */
  readonly invalidManifests: readonly string[];
}

/** Folders that can be packages, as imports see them. Unreadable folders count as missing. */
export interface PackageSpace {
  /** The project of a folder. Throws DiagnosticError if the manifest has errors. */
  findProject(id: string): Project | null;
  /** The places that contain the dependencies of a folder's project, nearest first. */
  listShelves(id: string): Iterable<ProjectShelf>;
  /** The root of the path imports of a folder. */
  findRoot(id: string): string;
  findChild(id: string, name: string): string | null;
  listChildNames(id: string): readonly string[];
  hasScripts(id: string): boolean;
  /** The name of a folder's package. */
  printName(id: string): string;
  /** The name of a folder in messages. */
  printPath(id: string): string;
}

/** The name of the package of the scripts directly in the root of path imports. */
export const MAIN = 'main';

/**
 * Resolves an import: below the own project, a dependency, or the root of path imports
 * (docs/reference/projects.md#imports).
 */
export function resolveImport(space: PackageSpace, from: string, path: string): ImportTarget {
  const names = splitNames(path);
  if (names === null) {
    return missing(describePath(path));
  }
  const project = space.findProject(from);
  const head = project === null ? undefined : findHead(listNames(project), path);
  if (project === null || head === undefined) return findByPath(space, from, names, project);
  if (head === project.manifest.general.name) return findInProject(space, project, path);
  return findDependency(space, from, path, {
    name: head,
    version: entryOf(project.manifest.dependencies, head),
  });
}

/**
 * Resolves an import path that a user typed outside all scripts. Searches the nearest place that has its project; the
 * place must not have two projects with this name (docs/reference/projects.md#dependencies).
 */
export function findNamedPackage(space: PackageSpace, from: string, path: string): ImportTarget {
  if (splitNames(path) === null) return missing(describePath(path));
  for (const { projects } of space.listShelves(from)) {
    const nameOf = ({ manifest }: Project) => manifest.general.name;
    const head = findHead(projects.map(nameOf), path);
    const [match, duplicate] = projects.filter((project) => nameOf(project) === head);
    if (match === undefined) continue;
    if (duplicate === undefined) return findInProject(space, match, path);
    return missing(
      `project \`${head}\` is in ${space.printPath(match.id)} and in ${space.printPath(duplicate.id)}`,
    );
  }
  return missing(`no project has \`${path}\``);
}

/** The names of the projects that a project can import, its own first. */
function listNames({ manifest }: Project): string[] {
  return [manifest.general.name, ...manifest.dependencies.keys()];
}

function findHead(projectNames: readonly string[], path: string): string | undefined {
  const heads = projectNames.filter((name) => isBelow(path, name));
  return heads.sort((left, right) => right.length - left.length)[0];
}

function findInProject(space: PackageSpace, project: Project, path: string): ImportTarget {
  const { name } = project.manifest.general;
  const names = path === name ? [] : path.slice(name.length + 1).split('/');
  const walk = walkDown(space, project.id, names);
  if (walk.remaining.length === 0) return toTarget(space, walk.id);
  const folder = names.join('/');
  return missing(`project \`${name}\` has no folder \`${folder}\``, suggestFolder(space, walk, path));
}

interface ProjectVersion {
  readonly name: string;
  readonly version: string;
}

function findDependency(
  space: PackageSpace,
  from: string,
  path: string,
  dependency: ProjectVersion,
): ImportTarget {
  const notes: string[] = [];
  for (const { projects, invalidManifests } of space.listShelves(from)) {
    const candidates = projects.filter(({ manifest }) => manifest.general.name === dependency.name);
    const matches = candidates.filter(({ manifest }) => manifest.general.version === dependency.version);
    if (matches.length > 1) return missing(describeDuplicates(space, dependency, matches));
    if (matches[0] !== undefined) return findInProject(space, matches[0], path);
    notes.push(...candidates.map((project) => describeVersion(space, project)));
    notes.push(...invalidManifests.map((file) => `${file} has errors`));
  }
  const summary = `no project \`${dependency.name}\` of version ${dependency.version} can be found`;
  return missing([summary, ...notes].join('; '));
}

function describeDuplicates(
  space: PackageSpace,
  { name, version }: ProjectVersion,
  matches: readonly Project[],
): string {
  const places = matches.map(({ id }) => space.printPath(id)).sort();
  return `project \`${name}\` of version ${version} is in more than one place: ${places.join(' and ')}`;
}

function describeVersion(space: PackageSpace, { id, manifest }: Project): string {
  const { version } = manifest.general;
  return `${space.printPath(id)} has ${version === undefined ? 'no version' : `version ${version}`}`;
}

function findByPath(
  space: PackageSpace,
  from: string,
  names: readonly string[],
  project: Project | null,
): ImportTarget {
  const path = names.join('/');
  const root = space.findRoot(from);
  const walk = walkDown(space, root, names);
  if (walk.remaining.length === 0) return toTarget(space, walk.id);
  if (path === MAIN && space.printName(root) === MAIN) return toTarget(space, root);
  const unlisted = findUnlisted(space, from, path);
  if (unlisted !== undefined) return missing(describeUnlisted(space, unlisted, project));
  const suggestion =
    leaveRootOut(space, root, names) ??
    (project && suggestProject(project, names)) ??
    suggestFolder(space, walk, path);
  return missing(`there is no folder \`${path}\` in ${space.printPath(root)}`, suggestion);
}

/** A path of the catalog without the namespace, in which import paths start. */
function leaveRootOut(space: PackageSpace, root: string, names: readonly string[]): string | undefined {
  const [first, ...others] = names;
  if (others.length === 0 || first !== space.printPath(root)) return undefined;
  return walkDown(space, root, others).remaining.length === 0 ? others.join('/') : undefined;
}

function findUnlisted(space: PackageSpace, from: string, path: string): string | undefined {
  const projects = [...space.listShelves(from)].flatMap((shelf) => shelf.projects);
  return findHead(
    projects.map(({ manifest }) => manifest.general.name),
    path,
  );
}

function describeUnlisted(space: PackageSpace, name: string, project: Project | null): string {
  return project === null
    ? `project \`${name}\` can only be imported from a project that lists it under [dependencies]`
    : `project \`${name}\` is not listed under [dependencies] of the project in ${space.printPath(project.id)}`;
}

/** Corrects a path whose beginning is similar to the name of a project. */
function suggestProject(project: Project, names: readonly string[]): string | undefined {
  for (const name of listNames(project)) {
    const { length } = name.split('/');
    const prefix = names.slice(0, length).join('/');
    if (suggest(prefix, [name]) !== undefined) return [name, ...names.slice(length)].join('/');
  }
  return undefined;
}

/** The deepest existing folder of a path, and the rest of the path. */
interface Walk {
  readonly id: string;
  readonly remaining: readonly string[];
}

function walkDown(space: PackageSpace, root: string, names: readonly string[]): Walk {
  let id = root;
  for (const [depth, name] of names.entries()) {
    const child = space.findChild(id, name);
    if (child === null) return { id, remaining: names.slice(depth) };
    id = child;
  }
  return { id, remaining: [] };
}

function suggestFolder(space: PackageSpace, { id, remaining }: Walk, path: string): string | undefined {
  const near = suggest(elementAt(remaining, 0), space.listChildNames(id));
  if (near === undefined) return undefined;
  const parents = path.split('/').slice(0, -remaining.length);
  return [...parents, near, ...remaining.slice(1)].join('/');
}

function toTarget(space: PackageSpace, id: string): ImportTarget {
  if (space.hasScripts(id)) return { kind: 'package', id };
  return missing(`there are no scripts directly in ${space.printPath(id)}`);
}

function describePath(path: string): string {
  return `\`${path}\` is not a valid import path: join names with single slashes, without \`.\` and \`..\``;
}

function missing(message: string, suggestion?: string): ImportTarget {
  const hint = suggestion === undefined ? '' : `; did you mean \`${suggestion}\`?`;
  return { kind: 'missing', message: `${message}${hint}` };
}

/** Lists a folder and the folders below it that contain scripts, sorted, without hidden folders and duplicates. */
export function listPackages(space: PackageSpace, id: string): readonly string[] {
  const packages = new Set<string>();
  const seen = new Set<string>();
  const waiting = [id];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const folder = next;
    if (space.hasScripts(folder)) packages.add(folder);
    const names = space
      .listChildNames(folder)
      .filter((name) => !name.startsWith('.') && name !== 'node_modules');
    waiting.push(...names.flatMap((name) => space.findChild(folder, name) ?? []).reverse());
  }
  return [...packages];
}
