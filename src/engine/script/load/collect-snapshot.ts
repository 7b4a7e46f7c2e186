import { entryOf } from '../../../invariants/must.ts';
import { printCount } from '../../../invariants/print-count.ts';
import type { ImportTarget, ScriptEntry, ScriptLoader } from '../../project/script-loader.ts';
import type { Need, Snapshot, SnapshotPackage, UnreadableScript } from '../../project/snapshot.ts';
import { createDiagnostic, type Diagnostic, DiagnosticError } from '../../text/diagnostic.ts';
import { finish } from '../../text/interruptible.ts';
import type { Source } from '../../text/source.ts';
import { listParamNames, toParamName } from '../params/param-names.ts';
import { type Params, type Rendered, substituteParams, toOriginalSpan } from '../params/params.ts';
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

/**
 * Reads the scripts that define what a run needs, directly or indirectly (docs/reference/language.md#files-and-packages,
 * docs/reference/projects.md#imports), and possibly more. Leaves out packages that do not exist. Throws a ParamError,
 * and a DiagnosticError if a needed file cannot be read, or a script has too many imports.
 */
export function collectSnapshot(
  loader: ScriptLoader,
  needs: readonly [Need, ...Need[]],
  params: Params,
): Snapshot {
  const collector = new Collector(loader, params);
  collector.collect(needs);
  return { needs, packages: collector.list() };
}

/** A package with the scripts that are needed so far. */
interface Collected {
  readonly id: string;
  readonly files: Map<string, Source>;
  readonly unreadable: Map<string, UnreadableScript>;
  readonly imports: Map<string, ImportTarget>;
  /** Scripts whose names have been followed. */
  readonly followed: Set<string>;
  /** Whether all its scripts were read, although they are not needed. */
  hasAll: boolean;
  /** All its scripts, and those that define each name; null before they are needed. */
  listing: Listing | null;
}

interface Listing {
  readonly scripts: readonly ScriptEntry[];
  readonly byName: ReadonlyMap<string, readonly ScriptEntry[]>;
}

class Collector {
  readonly #loader: ScriptLoader;
  readonly #params: Params;
  readonly #packages = new Map<string, Collected>();
  readonly #waiting: (() => void)[] = [];
  #characters = 0;
  /** Characters that were read for the names of scripts. */
  #scanned = 0;

  constructor(loader: ScriptLoader, params: Params) {
    this.#loader = loader;
    this.#params = params;
  }

  collect(needs: readonly Need[]): void {
    for (const need of needs) {
      this.#collectOne(need);
      for (let work = this.#waiting.pop(); work !== undefined; work = this.#waiting.pop()) work();
    }
    // A caller gives the same parameters to several scripts of a folder: only one that none of them uses is wrong.
    const [root] = this.#packages.values();
    if (root !== undefined && !this.#usesAllParams()) this.#readAll(root);
  }

  #usesAllParams(): boolean {
    const names = Object.keys(this.#params).map(toParamName);
    if (names.length === 0) return true;
    const sources = [...this.#packages.values()].flatMap(({ files }) => [...files.values()]);
    const used = finish(listParamNames(sources));
    return names.every((name) => used.has(name));
  }

  list(): readonly SnapshotPackage[] {
    const packages = [...this.#packages.values()].filter(
      ({ files, listing }) => files.size > 0 || listing !== null,
    );
    return packages.map(({ id, files, unreadable, imports }) => ({
      id,
      name: this.#loader.printName(id),
      files: [...files.values()].sort((left, right) => (left.name < right.name ? -1 : 1)),
      unreadable: [...unreadable.values()],
      imports: Object.fromEntries(imports),
    }));
  }

  #collectOne({ id, file, name, withImports = false }: Need): void {
    const owner = this.#open(id);
    if (file !== undefined) this.#addFile(owner, file);
    else if (name !== undefined) this.#addName(owner, name);
    else for (const entry of this.#listScripts(owner)?.scripts ?? []) this.#add(owner, entry, withImports);
  }

  #open(id: string): Collected {
    const owner = this.#packages.get(id) ?? {
      id,
      files: new Map(),
      unreadable: new Map(),
      imports: new Map(),
      followed: new Set(),
      hasAll: false,
      listing: null,
    };
    this.#packages.set(id, owner);
    return owner;
  }

  #addFile(owner: Collected, name: string): void {
    const entry = this.#loader.findScript(owner.id, name);
    if (entry === null) throw new Error(`the package has no file ${name}`);
    this.#add(owner, entry, false);
    const unreadable = owner.unreadable.get(name);
    if (unreadable !== undefined) throw new DiagnosticError([unreadable.error]);
  }

  /**
   * Adds the scripts that define a name. If no script does, and it is not a local name, adds everything, so that messages
   * can say more about it.
   */
  #addName(owner: Collected, name: string, isLocal = false): void {
    const listing = this.#listScripts(owner);
    if (listing === null) return;
    const entries = listing.byName.get(name);
    for (const entry of entries ?? []) this.#add(owner, entry, false);
    if (entries === undefined && !isLocal) this.#readAll(owner);
  }

  #isDefined(owner: Collected, name: string): boolean {
    return this.#listScripts(owner)?.byName.has(name) === true;
  }

  /** Reads all scripts of a package; they are not needed. */
  #readAll(owner: Collected): void {
    if (owner.hasAll) return;
    owner.hasAll = true;
    for (const entry of this.#listScripts(owner)?.scripts ?? []) this.#read(owner, entry);
  }

  #listScripts(owner: Collected): Listing | null {
    if (owner.listing !== null) return owner.listing;
    const scripts = this.#loader.listScripts(owner.id);
    if (scripts === null) return null;
    const byName = new Map<string, ScriptEntry[]>();
    for (const entry of scripts) {
      for (const name of this.#listDefined(owner, entry)) {
        const others = byName.get(name);
        if (others === undefined) byName.set(name, [entry]);
        else others.push(entry);
      }
    }
    owner.listing = { scripts, byName };
    return owner.listing;
  }

  /**
   * The names that a script defines; none if it is too large for this run. A later run continues with what this run has
   * not scanned.
   */
  #listDefined(owner: Collected, entry: ScriptEntry): Iterable<string> {
    const { name, version = entry } = entry;
    if (this.#scanned > MAX_SCANNED && entry.version !== undefined && !isScanned(version)) {
      owner.unreadable.set(name, { error: createTooLarge({ name, text: '' }), names: [] });
      return [];
    }
    const read = () => {
      const source = this.#tryRead(owner, entry);
      this.#scanned += source?.text.length ?? 0;
      return source;
    };
    return listDefined(version, read, this.#params);
  }

  /** Adds a script that is needed, and everything that it needs. */
  #add(owner: Collected, entry: ScriptEntry, withImports: boolean): void {
    if (owner.followed.has(entry.name)) return;
    owner.followed.add(entry.name);
    const source = this.#read(owner, entry);
    if (source === null) return;
    const rendered = substituteParams(source, this.#params);
    const scanned = scanNames(rendered);
    const surplus = scanned.imports[MAX_IMPORTS];
    if (surplus !== undefined) throw tooManyImports(rendered, surplus.start);
    this.#follow(owner, scanned, withImports);
  }

  #read(owner: Collected, entry: ScriptEntry): Source | null {
    const existing = owner.files.get(entry.name);
    const source = existing ?? this.#tryRead(owner, entry);
    if (existing !== undefined || source === null) return source;
    const characters = this.#characters + source.text.length;
    if (characters > MAX_CHARACTERS) {
      const names = [...listDefined(entry.version ?? entry, () => source, this.#params)];
      owner.unreadable.set(entry.name, { error: createTooLarge(source), names });
      return null;
    }
    this.#characters = characters;
    owner.files.set(entry.name, source);
    return source;
  }

  #tryRead(owner: Collected, entry: ScriptEntry): Source | null {
    const { source, error } = entry.read();
    if (error !== undefined) owner.unreadable.set(entry.name, { error, names: [] });
    return source ?? null;
  }

  /** Adds what the names of a script need. */
  #follow(owner: Collected, scanned: ScannedNames, withImports: boolean): void {
    const targets = new Map<string, ImportTarget | null>();
    for (const { path, name } of scanned.imports) {
      const target = path.startsWith(STANDARD) ? null : this.#resolve(owner, path);
      if (!targets.has(name)) targets.set(name, target);
      const needsAll = withImports || scanned.used === null;
      if (target?.kind === 'package' && needsAll) this.#want({ id: target.id });
    }
    if (scanned.used === null) {
      this.#want({ id: owner.id });
      return;
    }
    const others = [...scanned.used.keys()].filter((name) => !targets.has(name));
    const foreign = others.filter((name) => !scanned.defined.has(name));
    if (foreign.length > 0) {
      this.#waiting.push(() => {
        const isOwn = foreign.every((name) => scanned.locals.has(name) && !this.#isDefined(owner, name));
        // A script that uses no name but its own needs nothing else of its package.
        if (isOwn) return;
        for (const name of others) this.#addName(owner, name, scanned.locals.has(name));
      });
    }
    for (const [name, target] of targets) {
      const use = scanned.used.get(name);
      if (use !== undefined && target?.kind === 'package') this.#addMembers(target.id, use);
    }
  }

  #resolve(owner: Collected, path: string): ImportTarget {
    if (!owner.imports.has(path)) owner.imports.set(path, this.#loader.resolveImport(owner.id, path));
    return entryOf(owner.imports, path);
  }

  #addMembers(id: string, { members, isAlone }: ScannedUse): void {
    for (const name of members) this.#want({ id, name });
    if (isAlone) this.#want({ id });
  }

  #want(need: Need): void {
    this.#waiting.push(() => this.#collectOne(need));
  }
}

function tooManyImports(rendered: Rendered, at: number): DiagnosticError {
  const span = toOriginalSpan(rendered, { start: at, end: at + DIRECTIVE.length });
  const message = `a script can have at most ${printCount(MAX_IMPORTS)} imports`;
  // The code frame does not show the lines after it.
  const shown = { ...rendered.source, text: rendered.source.text.slice(0, span.end + SHOWN_CHARACTERS) };
  return new DiagnosticError([createDiagnostic(shown, span, message, 'file')]);
}

function createTooLarge(source: Source): Diagnostic {
  const max = printCount(MAX_CHARACTERS);
  const message = `with this file, the scripts of a run have more than ${max} characters`;
  // The error points to the first line, so a prefix of the file is enough.
  const shown = { ...source, text: source.text.slice(0, SHOWN_CHARACTERS) };
  return createDiagnostic(shown, { start: 0, end: 0 }, message, 'file');
}
