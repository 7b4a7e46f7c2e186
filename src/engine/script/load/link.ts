import { elementAt, entryOf, notNull, present } from '../../../invariants/must.ts';
import { suggest } from '../../../text/suggest.ts';
import type { Need, Snapshot, SnapshotPackage } from '../../project/snapshot.ts';
import type { Diagnostic } from '../../text/diagnostic.ts';
import type { Interruptible } from '../../text/interruptible.ts';
import type { Source } from '../../text/source.ts';
import { type CheckDeclaration, expandChecks } from '../checks/expand-checks.ts';
import { type Params, withDefaults } from '../params/params.ts';
import { listUses, type NameUse } from '../program/list-uses.ts';
import {
  createScriptDiagnostic,
  type Definition,
  type Imported,
  type LinkedCheck,
  type LinkedFile,
  listDefinitions,
  type Package,
  type Program,
} from '../program/program.ts';
import type { ImportDeclaration, ScriptFile } from '../syntax/ast.ts';
import { LIBRARIES } from '../values/stdlib.ts';
import { STANDARD } from './collect-snapshot.ts';
import type { ParseCache } from './parse-cache.ts';
import { listDefined } from './scan-names.ts';

const UNSET = /\$[A-Za-z_]/;
const IDENTIFIER = /^[\p{L}_][\p{L}\p{N}_]*$/u;

/** Resolves the imports of a file (docs/reference/projects.md#imports), and adds their errors. */
function linkFile(file: ScriptFile, source: SnapshotPackage, diagnostics: Diagnostic[]): LinkedFile {
  const imports = new Map<string, Imported>();
  for (const declaration of file.imports) {
    const imported = resolveImport(file, declaration, source, diagnostics);
    const name = declaration.alias?.name ?? elementAt(declaration.path.split('/'), -1);
    if (!IDENTIFIER.test(name)) {
      const message = `\`${name}\` is not a valid name: name the import, as in \`#+import "${declaration.path}" as name\``;
      diagnostics.push(createScriptDiagnostic(file, declaration.pathSpan, message, 'import'));
    } else if (imports.has(name)) {
      const message = `the name \`${name}\` is imported twice: rename one of the imports with \`as\``;
      diagnostics.push(
        createScriptDiagnostic(file, declaration.alias ?? declaration.pathSpan, message, 'import'),
      );
    } else {
      imports.set(name, imported);
    }
  }
  return { file, imports, checks: expandChecks(file).map((declaration) => linkCheck(declaration, imports)) };
}

/** A check has the names of its file, and the library that its text calls. */
function linkCheck(declaration: CheckDeclaration, imports: ReadonlyMap<string, Imported>): LinkedCheck {
  const { file, library, test } = declaration;
  const { start, end } = test;
  const imported = {
    kind: 'import',
    path: `${STANDARD}sql`,
    pathSpan: test,
    alias: null,
    start,
    end,
  } as const;
  const names = new Map<string, Imported>(imports);
  names.set(library, { kind: 'library', name: 'sql', declaration: imported });
  return { declaration, file: { file, imports: names, checks: [] } };
}

function resolveImport(
  file: ScriptFile,
  declaration: ImportDeclaration,
  source: SnapshotPackage,
  diagnostics: Diagnostic[],
): Imported {
  const { path, pathSpan } = declaration;
  if (UNSET.test(path)) return { kind: 'missing', declaration, reported: false };
  if (path.startsWith(STANDARD)) {
    const name = path.slice(STANDARD.length);
    if (Object.hasOwn(LIBRARIES, name)) return { kind: 'library', name, declaration };
    const near = suggest(name, Object.keys(LIBRARIES));
    const hint = near === undefined ? '' : `, did you mean \`${STANDARD}${near}\`?`;
    diagnostics.push(
      createScriptDiagnostic(file, pathSpan, `the standard library has no \`${name}\`${hint}`, 'import'),
    );
    return { kind: 'missing', declaration, reported: true };
  }
  const target = Object.hasOwn(source.imports, path) ? present(source.imports[path]) : null;
  if (target?.kind === 'package') return { kind: 'package', id: target.id, declaration };
  const hint = Object.hasOwn(LIBRARIES, path) ? `; the library is \`${STANDARD}${path}\`` : '';
  const message = (target?.message ?? `there is no package \`${path}\``) + hint;
  diagnostics.push(createScriptDiagnostic(file, pathSpan, message, 'import'));
  return { kind: 'missing', declaration, reported: true };
}

/** A program, with the diagnostics of its files so far: syntax, imports and duplicate names. */
export interface Linked {
  readonly program: Program;
  readonly diagnostics: readonly Diagnostic[];
  /** Finds the neighbours with errors, for messages about unknown names. */
  readonly searchNeighbours: () => Interruptible<void>;
}

/**
 * Parses what a snapshot needs, and links it to packages (docs/reference/language.md#files-and-packages,
 * docs/reference/language.md#directives): files that nothing reaches are left out, and of the other files, definitions
 * that nothing reaches. Throws a ParamError.
 */
export function* link(snapshot: Snapshot, params: Params, cache: ParseCache): Interruptible<Linked> {
  const linker = new Linker(snapshot, params, cache);
  const linked = yield* linker.link();
  cache.sweep();
  return linked;
}

/** A package whose files are parsed when they are reached. */
interface Opened {
  readonly source: SnapshotPackage;
  readonly params: Params;
  readonly owner: Omit<Package, 'files' | 'definitions'> & {
    files: LinkedFile[];
    readonly definitions: Map<string, Definition>;
    readonly neighbours: { names: string[]; broken: string[] };
  };
  /** The files that possibly define a name; null before a name is looked up. */
  byName: ReadonlyMap<string, readonly Source[]> | null;
  readonly linkedFiles: Map<Source, LinkedFile>;
  readonly names: Set<string>;
  isComplete: boolean;
}

class Linker {
  readonly #snapshot: Snapshot;
  readonly #cache: ParseCache;
  readonly #packages: ReadonlyMap<string, Opened>;
  readonly #diagnostics: Diagnostic[] = [];
  readonly #broken: ScriptFile[] = [];
  readonly #reached = new Set<Definition['declaration']>();
  readonly #waiting: Definition[] = [];

  constructor(snapshot: Snapshot, params: Params, cache: ParseCache) {
    this.#snapshot = snapshot;
    this.#cache = cache;
    this.#packages = new Map(snapshot.packages.map((source) => [source.id, open(source, params)]));
  }

  *link(): Interruptible<Linked> {
    for (const need of this.#snapshot.needs) yield* this.#meet(need);
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) {
      for (const use of listUses(next)) yield* this.#reach(next, use);
    }
    for (const target of this.#packages.values()) this.#finish(target);
    const packages = new Map([...this.#packages].map(([id, { owner }]) => [id, owner]));
    const root = entryOf(packages, this.#snapshot.needs[0].id);
    return {
      program: { root, packages, broken: this.#broken },
      diagnostics: this.#diagnostics,
      searchNeighbours: () => this.#searchNeighbours(),
    };
  }

  *#meet({ id, file, name }: Need): Interruptible<void> {
    const target = this.#packages.get(id);
    if (target === undefined) return;
    if (name !== undefined) yield* this.#reachName(target, name);
    else if (file === undefined) yield* this.#reachAll(target);
    else
      for (const source of target.source.files)
        if (source.name === file) yield* this.#reachFile(target, source);
  }

  /** Reaches what a definition names. */
  *#reach({ file, package: { id } }: Definition, { object, member }: NameUse): Interruptible<void> {
    const imported = file.imports.get(object.name);
    if (imported === undefined) return yield* this.#reachName(entryOf(this.#packages, id), object.name);
    const target = imported.kind === 'package' ? this.#packages.get(imported.id) : undefined;
    if (target === undefined) return;
    if (member === null) yield* this.#reachAll(target);
    else yield* this.#reachName(target, member.member.name);
  }

  *#reachName(target: Opened, name: string): Interruptible<void> {
    if (target.isComplete || target.names.has(name)) return;
    target.names.add(name);
    const unreadable = target.source.unreadable.filter(({ names }) => names.includes(name));
    this.#diagnostics.push(...unreadable.map(({ error }) => error));
    target.byName ??= yield* this.#findNames(target);
    for (const source of target.byName.get(name) ?? []) {
      const definitions = listDefinitions(target.owner, yield* this.#parse(target, source));
      this.#add(definitions.filter((definition) => definition.name === name));
    }
  }

  *#reachAll(target: Opened): Interruptible<void> {
    if (target.isComplete) return;
    target.isComplete = true;
    this.#diagnostics.push(...target.source.unreadable.map(({ error }) => error));
    for (const source of target.source.files) yield* this.#reachFile(target, source);
  }

  *#reachFile(target: Opened, source: Source): Interruptible<void> {
    this.#add(listDefinitions(target.owner, yield* this.#parse(target, source)));
  }

  #add(definitions: readonly Definition[]): void {
    for (const definition of definitions) {
      if (this.#reached.has(definition.declaration)) continue;
      this.#reached.add(definition.declaration);
      this.#waiting.push(definition);
    }
  }

  *#findNames(target: Opened): Interruptible<ReadonlyMap<string, readonly Source[]>> {
    const byName = new Map<string, Source[]>();
    for (const source of target.source.files) {
      yield;
      for (const name of listDefined(source, () => source, target.params)) {
        const others = byName.get(name);
        if (others === undefined) byName.set(name, [source]);
        else others.push(source);
      }
    }
    return byName;
  }

  *#parse(target: Opened, source: Source): Interruptible<LinkedFile> {
    const linkedFile = target.linkedFiles.get(source);
    if (linkedFile !== undefined) return linkedFile;
    yield;
    const { file, diagnostics } = yield* this.#cache.parse(source, target.params);
    this.#diagnostics.push(...diagnostics);
    if (diagnostics.length > 0) this.#broken.push(file);
    const linked = linkFile(file, target.source, this.#diagnostics);
    target.linkedFiles.set(source, linked);
    return linked;
  }

  /** Fills the package with what the run reaches. */
  #finish({ source: { files }, owner, byName, linkedFiles }: Opened): void {
    for (const source of files) {
      const linked = linkedFiles.get(source);
      if (linked !== undefined) this.#keepReached(owner, linked);
    }
    const names = byName?.keys().filter((name) => !owner.definitions.has(name)) ?? [];
    owner.neighbours.names.push(...names);
  }

  #keepReached(owner: Opened['owner'], { file, imports, checks: all }: LinkedFile): void {
    const isReached = (declaration: Definition['declaration']) => this.#reached.has(declaration);
    const blocks = file.blocks.filter(isReached);
    const macros = file.macros.filter(isReached);
    const constants = file.constants.filter(isReached);
    const checks = all.filter(({ declaration }) => isReached(declaration.test));
    const linked = { file: { ...file, blocks, macros, constants }, imports, checks };
    owner.files.push(linked);
    for (const definition of listDefinitions(owner, linked)) {
      if (definition.name === '') continue;
      const first = owner.definitions.get(definition.name);
      if (first === undefined) owner.definitions.set(definition.name, definition);
      else this.#diagnostics.push(describeDuplicate(definition, first));
    }
  }

  *#searchNeighbours(): Interruptible<void> {
    for (const { source, params, owner, linkedFiles, isComplete } of this.#packages.values()) {
      if (isComplete) continue;
      const { broken } = owner.neighbours;
      broken.push(...source.unreadable.map(({ error }) => error.file));
      for (const neighbour of source.files) {
        if (linkedFiles.has(neighbour)) continue;
        yield;
        const { diagnostics } = yield* this.#cache.parse(neighbour, params);
        if (diagnostics.length > 0) broken.push(neighbour.name);
      }
    }
  }
}

function open(source: SnapshotPackage, params: Params): Opened {
  const { id, name, defaults } = source;
  return {
    source,
    params: withDefaults(params, defaults),
    owner: { id, name, files: [], definitions: new Map(), neighbours: { names: [], broken: [] } },
    byName: null,
    linkedFiles: new Map(),
    names: new Set(),
    isComplete: false,
  };
}

function describeDuplicate({ name, file, declaration }: Definition, first: Definition): Diagnostic {
  const { source } = first.file.file.rendered;
  const { line } = createScriptDiagnostic(first.file.file, notNull(first.declaration.name), '');
  const message = `\`${name}\` is already the name of a ${first.kind} of this package, at ${source.name}:${line}`;
  return createScriptDiagnostic(file.file, notNull(declaration.name), message, 'duplicate-name');
}
