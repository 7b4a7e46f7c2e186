import { elementAt, notNull, present } from '../../../invariants/must.ts';
import type { Snapshot, SnapshotPackage } from '../../project/snapshot.ts';
import type { Diagnostic } from '../../text/diagnostic.ts';
import type { Interruptible } from '../../text/interruptible.ts';
import { suggest } from '../../text/suggest.ts';
import type { Params } from '../params/params.ts';
import {
  createScriptDiagnostic,
  type Definition,
  type Imported,
  type LinkedFile,
  listDefinitions,
  type Package,
  type Program,
} from '../program/program.ts';
import type { ImportDeclaration, ScriptFile } from '../syntax/ast.ts';
import { LIBRARIES } from '../values/stdlib.ts';
import { STANDARD } from './collect-snapshot.ts';
import type { ParseCache } from './parse-cache.ts';

/** A program, with the diagnostics of its packages so far: syntax, imports and duplicate names. */
export interface Linked {
  readonly program: Program;
  readonly diagnostics: readonly Diagnostic[];
}

const UNSET = /\$[A-Za-z_]/;
const IDENTIFIER = /^[\p{L}_][\p{L}\p{N}_]*$/u;

/**
 * Parses the files of a snapshot and links them to packages (docs/reference/language.md#files-and-packages,
 * docs/reference/language.md#directives). Throws a ParamError.
 */
export function* link(snapshot: Snapshot, params: Params, cache: ParseCache): Interruptible<Linked> {
  const diagnostics: Diagnostic[] = [];
  const packages = new Map<string, Package>();
  const broken: ScriptFile[] = [];
  for (const source of snapshot.packages) {
    const files: LinkedFile[] = [];
    for (const file of source.files) {
      yield;
      const parsed = yield* cache.parse(file, params);
      diagnostics.push(...parsed.diagnostics);
      if (parsed.diagnostics.length > 0) broken.push(parsed.file);
      files.push(linkFile(parsed.file, source, diagnostics));
    }
    packages.set(source.id, createPackage(source, files, diagnostics));
  }
  cache.sweep();
  const root = packages.get(snapshot.root);
  if (root === undefined) throw new Error(`the snapshot lacks its root ${snapshot.root}`);
  return { program: { root, packages, broken }, diagnostics };
}

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
  return { file, imports };
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

function createPackage(
  { id, name }: SnapshotPackage,
  files: readonly LinkedFile[],
  diagnostics: Diagnostic[],
): Package {
  const definitions = new Map<string, Definition>();
  const created: Package = { id, name, files, definitions };
  for (const file of files) {
    for (const definition of listDefinitions(created, file)) {
      if (definition.name === '') continue;
      const first = definitions.get(definition.name);
      if (first === undefined) definitions.set(definition.name, definition);
      else diagnostics.push(describeDuplicate(definition, first));
    }
  }
  return created;
}

function describeDuplicate({ name, file, declaration }: Definition, first: Definition): Diagnostic {
  const { source } = first.file.file.rendered;
  const { line } = createScriptDiagnostic(first.file.file, notNull(first.declaration.name), '');
  const message = `\`${name}\` is already the name of a ${first.kind} of this package, at ${source.name}:${line}`;
  return createScriptDiagnostic(file.file, notNull(declaration.name), message, 'duplicate-name');
}
