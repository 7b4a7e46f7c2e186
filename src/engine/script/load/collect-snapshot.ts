import { printCount } from '../../../invariants/print-count.ts';
import { findParameters } from '../../project/manifest.ts';
import type { ImportTarget, ScriptEntry, ScriptLoader } from '../../project/package-loader.ts';
import type { Parameters } from '../../project/parameters.ts';
import type { Need, Snapshot, SnapshotPackage, UnreadableScript } from '../../project/snapshot.ts';
import { createDiagnostic, type Diagnostic, DiagnosticError } from '../../text/diagnostic.ts';
import { finish } from '../../text/interruptible.ts';
import type { Source } from '../../text/source.ts';
import { listParamNames, toParamName } from '../params/param-names.ts';
import {
  type Params,
  type Rendered,
  substituteParams,
  toOriginalSpan,
  withDefaults,
} from '../params/params.ts';
import { isScanned, listDefined, type ScannedNames, type ScannedUse, scanNames } from './scan-names.ts';

/** Maximum characters of all scripts of a run together. */
const MAX_CHARACTERS = 32 * 1024 ** 2;

/** Characters that a run reads to find names: other requests wait meanwhile. */
const MAX_SCANNED = 64 * 1024 ** 2;

/** Characters of a too large file that are kept for its code frame. */
const SHOWN_CHARACTERS = 1_000;

/** Maximum imports of a script: each is looked up while other requests wait. */
const MAX_IMPORTS = 1_000;

const DIRECTIVE = '#+import';

/** The prefix of import paths of the standard library. */
export const STANDARD = 'std/';

/** What sets the parameters of scripts: the caller, and the manifests of their projects. */
export interface ParamSources {
  readonly params: Params;
  /** The key of an environment; default: the default environment of the project that the run starts in. */
  readonly environment?: string | undefined;
}

/**
 * Reads the scripts that define what a run needs, directly or indirectly (docs/reference/language.md#files-and-packages,
 * docs/reference/projects.md#imports), and possibly more. Leaves out packages that do not exist. Throws a ParamError,
 * and a DiagnosticError if a needed file cannot be read, or a script has too many imports.
 */
export function collectSnapshot(
  loader: ScriptLoader,
  needs: readonly [Need, ...Need[]],
  { params, environment }: ParamSources,
): Snapshot {
  const findEnvironment = () => environment ?? loader.findProject(needs[0].id)?.manifest.environments.default;
  const collector = new Collector({ loader, params, findEnvironment, characters: 0, scanned: 0 });
  collector.collect(needs);
  return { needs, packages: collector.list() };
}

/** The scripts of all packages, and how much of them a run has read. */
interface ReadSource {
  readonly loader: ScriptLoader;
  readonly params: Params;
  readonly findEnvironment: () => string | null | undefined;
  /** Characters of the scripts in the snapshot. */
  characters: number;
  /** Characters that were read for the names of scripts. */
  scanned: number;
}

/** Follows the names of scripts, from what a run needs to everything that it names. */
class Collector {
  readonly #source: ReadSource;
  readonly #packages = new Map<string, PackageScripts>();
  readonly #waiting: (() => void)[] = [];

  constructor(source: ReadSource) {
    this.#source = source;
  }

  collect(needs: readonly Need[]): void {
    for (const need of needs) {
      this.#add(need);
      for (let work = this.#waiting.pop(); work !== undefined; work = this.#waiting.pop()) work();
    }
    // A caller gives the same parameters to several scripts of a folder: only one that none of them uses is wrong.
    const [root] = this.#packages.values();
    if (root !== undefined && !this.#usesAllParams()) root.readAll();
  }

  #usesAllParams(): boolean {
    const names = Object.keys(this.#source.params).map(toParamName);
    if (names.length === 0) return true;
    const sources = [...this.#packages.values()].flatMap(({ files }) => [...files.values()]);
    const usedNames = finish(listParamNames(sources));
    return names.every((name) => usedNames.has(name));
  }

  list(): readonly SnapshotPackage[] {
    return [...this.#packages.values()].flatMap((scripts) => scripts.toSnapshot() ?? []);
  }

  #want(need: Need): void {
    this.#waiting.push(() => this.#add(need));
  }

  #add({ id, file, name, withImports = false }: Need): void {
    const scripts = this.#packages.get(id) ?? new PackageScripts(id, this.#source);
    this.#packages.set(id, scripts);
    if (file !== undefined) this.#addFile(scripts, file);
    else if (name !== undefined) this.#addName(scripts, name);
    else for (const entry of scripts.list()?.entries ?? []) this.#addScript(scripts, entry, withImports);
  }

  #addFile(scripts: PackageScripts, name: string): void {
    const entry = this.#source.loader.findScript(scripts.id, name);
    if (entry === null) throw new Error(`the package has no file ${name}`);
    this.#addScript(scripts, entry);
    const unreadable = scripts.unreadable.get(name);
    if (unreadable !== undefined) throw new DiagnosticError([unreadable.error]);
  }

  /**
   * Adds the scripts that define a name. If no script does, and it is not a local name, adds everything, so that messages
   * can say more about it.
   */
  #addName(scripts: PackageScripts, name: string, isLocal = false): void {
    const listing = scripts.list();
    if (listing === null) return;
    const entries = listing.byName.get(name);
    for (const entry of entries ?? []) this.#addScript(scripts, entry);
    if (entries === undefined && !isLocal) scripts.readAll();
  }

  /** Adds a script that is needed, and everything that it needs. */
  #addScript(scripts: PackageScripts, entry: ScriptEntry, withImports = false): void {
    if (scripts.followed.has(entry.name)) return;
    scripts.followed.add(entry.name);
    const source = scripts.read(entry);
    if (source === null) return;
    const rendered = substituteParams(source, scripts.params);
    const scanned = scanNames(rendered);
    const surplus = scanned.imports[MAX_IMPORTS];
    if (surplus !== undefined) throw tooManyImports(rendered, surplus.start);
    this.#follow(scripts, scanned, withImports);
  }

  /** Adds what the names of a script need. */
  #follow(scripts: PackageScripts, scanned: ScannedNames, withImports: boolean): void {
    const { imports, used } = scanned;
    const targets = new Map<string, ImportTarget | null>();
    for (const { path, name } of imports) {
      const target = path.startsWith(STANDARD) ? null : scripts.resolve(path);
      if (!targets.has(name)) targets.set(name, target);
      if (target?.kind === 'package' && (withImports || used === null)) this.#want({ id: target.id });
    }
    if (used === null) {
      this.#want({ id: scripts.id });
      return;
    }
    const names = [...used.keys()].filter((name) => !targets.has(name));
    if (names.length > 0) this.#waiting.push(() => this.#addNames(scripts, scanned, names));
    for (const [name, target] of targets) {
      const use = used.get(name);
      if (use !== undefined && target?.kind === 'package') this.#addMembers(target.id, use);
    }
  }

  /** Adds what a script names in its package: nothing if it names only what it defines. */
  #addNames(scripts: PackageScripts, { defined, locals }: ScannedNames, names: readonly string[]): void {
    const foreign = names.filter((name) => !defined.has(name));
    if (foreign.every((name) => locals.has(name) && !scripts.defines(name))) return;
    for (const name of names) this.#addName(scripts, name, locals.has(name));
  }

  #addMembers(id: string, { members, isAlone }: ScannedUse): void {
    for (const name of members) this.#want({ id, name });
    if (isAlone) this.#want({ id });
  }
}

/** All scripts of a package, and those that define each name. */
interface ScriptListing {
  readonly entries: readonly ScriptEntry[];
  readonly byName: ReadonlyMap<string, readonly ScriptEntry[]>;
}

/** The scripts of a package that are read so far. */
class PackageScripts {
  readonly id: string;
  readonly files = new Map<string, Source>();
  readonly unreadable = new Map<string, UnreadableScript>();
  /** Scripts whose names have been followed. */
  readonly followed = new Set<string>();
  readonly #source: ReadSource;
  readonly #imports = new Map<string, ImportTarget>();
  /** Null before it is needed. */
  #listing: ScriptListing | null = null;
  #params: { readonly all: Params; readonly defaults: Parameters } | null = null;
  #hasAll = false;

  constructor(id: string, source: ReadSource) {
    this.id = id;
    this.#source = source;
  }

  /** The parameters of its files. Throws a DiagnosticError if the manifest of its project has errors. */
  get params(): Params {
    return this.#findParams().all;
  }

  #findParams() {
    if (this.#params !== null) return this.#params;
    const { loader, params, findEnvironment } = this.#source;
    const manifest = loader.findProject(this.id)?.manifest;
    const defaults = manifest === undefined ? {} : findParameters(manifest, findEnvironment() ?? null);
    this.#params = { all: withDefaults(params, defaults), defaults };
    return this.#params;
  }

  /** Null for a package that does not exist. */
  toSnapshot(): SnapshotPackage | null {
    const { id, files, unreadable } = this;
    if (files.size === 0 && this.#listing === null) return null;
    const { defaults } = this.#findParams();
    return {
      id,
      name: this.#source.loader.printName(id),
      files: [...files.values()].sort((left, right) => (left.name < right.name ? -1 : 1)),
      unreadable: [...unreadable.values()],
      imports: Object.fromEntries(this.#imports),
      ...(Object.keys(defaults).length > 0 && { defaults }),
    };
  }

  resolve(path: string): ImportTarget {
    const target = this.#imports.get(path) ?? this.#source.loader.resolveImport(this.id, path);
    this.#imports.set(path, target);
    return target;
  }

  defines(name: string): boolean {
    return this.list()?.byName.has(name) === true;
  }

  /** Null for a package that does not exist. */
  list(): ScriptListing | null {
    if (this.#listing !== null) return this.#listing;
    const entries = this.#source.loader.listScripts(this.id);
    if (entries === null) return null;
    const byName = new Map<string, ScriptEntry[]>();
    for (const entry of entries) {
      for (const name of this.#listDefined(entry)) {
        const others = byName.get(name);
        if (others === undefined) byName.set(name, [entry]);
        else others.push(entry);
      }
    }
    this.#listing = { entries, byName };
    return this.#listing;
  }

  /**
   * The names that a script defines; none if it is too large for this run. A later run continues with what this run has
   * not scanned.
   */
  #listDefined(entry: ScriptEntry): Iterable<string> {
    const { name, version = entry } = entry;
    if (this.#source.scanned > MAX_SCANNED && entry.version !== undefined && !isScanned(version)) {
      this.unreadable.set(name, { error: createTooLarge({ name, text: '' }), names: [] });
      return [];
    }
    const readSource = () => {
      const source = this.#tryRead(entry);
      this.#source.scanned += source?.text.length ?? 0;
      return source;
    };
    return listDefined(version, readSource, this.params);
  }

  /** Reads all scripts of a package; they are not needed. */
  readAll(): void {
    if (this.#hasAll) return;
    this.#hasAll = true;
    for (const entry of this.list()?.entries ?? []) this.read(entry);
  }

  /** Reads a script into the snapshot; null if it cannot be read, or is too large. */
  read(entry: ScriptEntry): Source | null {
    const { name, version = entry } = entry;
    const existingSource = this.files.get(name);
    const source = existingSource ?? this.#tryRead(entry);
    if (existingSource !== undefined || source === null) return source;
    const characters = this.#source.characters + source.text.length;
    if (characters > MAX_CHARACTERS) {
      const names = [...listDefined(version, () => source, this.params)];
      this.unreadable.set(name, { error: createTooLarge(source), names });
      return null;
    }
    this.#source.characters = characters;
    this.files.set(name, source);
    return source;
  }

  #tryRead(entry: ScriptEntry): Source | null {
    const { source, error } = entry.read();
    if (error !== undefined) this.unreadable.set(entry.name, { error, names: [] });
    return source ?? null;
  }
}

function tooManyImports(rendered: Rendered, at: number): DiagnosticError {
  const span = toOriginalSpan(rendered, { start: at, end: at + DIRECTIVE.length });
  const message = `a script can have at most ${printCount(MAX_IMPORTS)} imports`;
  // The code frame does not show the lines after it.
  const excerpt = { ...rendered.source, text: rendered.source.text.slice(0, span.end + SHOWN_CHARACTERS) };
  return new DiagnosticError([createDiagnostic(excerpt, span, message, 'file')]);
}

function createTooLarge(source: Source): Diagnostic {
  const max = printCount(MAX_CHARACTERS);
  const message = `with this file, the scripts of a run have more than ${max} characters`;
  // The error points to the first line, so a prefix of the file is enough.
  const excerpt = { ...source, text: source.text.slice(0, SHOWN_CHARACTERS) };
  return createDiagnostic(excerpt, { start: 0, end: 0 }, message, 'file');
}
