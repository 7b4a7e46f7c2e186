import type { Snapshot } from '../../project/snapshot.ts';
import type { Interruptible } from '../../text/interruptible.ts';
import type { Params } from '../params/params.ts';
import {
  createScriptDiagnostic,
  isPublic,
  type LinkedFile,
  type Package,
  type Program,
} from '../program/program.ts';
import { type Summary, summarize } from '../syntax/summarize.ts';
import { LIBRARIES, type LibraryFunction } from '../values/stdlib.ts';
import { toText, type Value } from '../values/value.ts';
import { link } from './link.ts';
import type { ParseCache } from './parse-cache.ts';

/** A name that a script can use. */
interface ScriptSymbol extends Pick<Summary, 'name' | 'params' | 'returns' | 'doc'> {
  readonly kind: Summary['kind'] | 'function';
  /** The local name of the import; null for a name of the script's package. */
  readonly import: string | null;
  /** The position of the definition; null for the library. */
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
}

/** An import of a script. */
export interface ScriptImport {
  readonly name: string;
  readonly path: string;
}

/** The names that a script can use, and its imports. */
interface Symbols {
  readonly data: readonly ScriptSymbol[];
  readonly imports: readonly ScriptImport[];
}

const MAX_SYMBOLS = 5_000;

/** Lists the names that the script `file` of a snapshot can use; errors in its packages do not matter. */
export function* listSymbols(
  snapshot: Snapshot,
  file: string,
  params: Params,
  cache: ParseCache,
): Interruptible<Symbols> {
  const needs = [snapshot.needs[0], ...snapshot.packages.map(({ id }) => ({ id }))] as const;
  const { program } = yield* link({ ...snapshot, needs }, params, cache);
  const linked = program.root.files.find((script) => script.file.rendered.source.name === file);
  const imports = [...(linked?.imports ?? [])];
  const data = [
    ...listPackage(program.root, null),
    ...imports.flatMap(([name, imported]) => {
      if (imported.kind === 'library') return listLibrary(imported.name, name);
      return imported.kind === 'package' ? listImported(program, imported.id, name) : [];
    }),
  ];
  return {
    data: data.slice(0, MAX_SYMBOLS),
    imports: imports.map(([name, { declaration }]) => ({ name, path: declaration.path })),
  };
}

/** The import paths of the library. */
export function listLibraryPaths(): readonly string[] {
  return Object.keys(LIBRARIES).map((name) => `std/${name}`);
}

function listImported({ packages }: Program, id: string, name: string): readonly ScriptSymbol[] {
  const owner = packages.get(id);
  return owner === undefined ? [] : listPackage(owner, name).filter((symbol) => isPublic(symbol.name));
}

function listPackage({ files }: Package, name: string | null): readonly ScriptSymbol[] {
  return files.flatMap((script) => summarize(script.file).map((summary) => toSymbol(script, summary, name)));
}

function toSymbol({ file }: LinkedFile, { span, ...summary }: Summary, name: string | null): ScriptSymbol {
  const location = createScriptDiagnostic(file, span, '');
  return { ...summary, import: name, file: location.file, line: location.line, column: location.column };
}

function listLibrary(library: string, name: string): readonly ScriptSymbol[] {
  return Object.entries(LIBRARIES[library] ?? {}).map(([memberName, member]) => ({
    kind: member.kind === 'constant' ? 'constant' : 'function',
    name: memberName,
    params: member.kind === 'constant' ? [] : printParameters(member),
    returns: null,
    doc: null,
    import: name,
    file: null,
    line: null,
    column: null,
  }));
}

function printParameters({ params }: LibraryFunction): ScriptSymbol['params'] {
  return params.map(({ name, default: value }) => ({
    name,
    default: value === undefined ? null : printDefault(value),
  }));
}

function printDefault(value: Value): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return '[]';
  if (typeof value === 'string') return JSON.stringify(value);
  return toText(value) ?? '';
}
