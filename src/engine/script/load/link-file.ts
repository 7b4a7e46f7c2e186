import { elementAt, present } from '../../../invariants/must.ts';
import type { SnapshotPackage } from '../../project/snapshot.ts';
import type { Diagnostic } from '../../text/diagnostic.ts';
import { suggest } from '../../text/suggest.ts';
import { createScriptDiagnostic, type Imported, type LinkedFile } from '../program/program.ts';
import type { ImportDeclaration, ScriptFile } from '../syntax/ast.ts';
import { LIBRARIES } from '../values/stdlib.ts';
import { STANDARD } from './collect-snapshot.ts';

const UNSET = /\$[A-Za-z_]/;
const IDENTIFIER = /^[\p{L}_][\p{L}\p{N}_]*$/u;

/** Resolves the imports of a file (docs/reference/projects.md#imports), and adds their errors. */
export function linkFile(file: ScriptFile, source: SnapshotPackage, diagnostics: Diagnostic[]): LinkedFile {
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
