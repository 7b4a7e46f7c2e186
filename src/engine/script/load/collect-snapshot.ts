import { printCount } from '../../../invariants/print-count.ts';
import type { ImportTarget, PackageSource, ScriptLoader } from '../../project/script-loader.ts';
import type { Snapshot, SnapshotPackage } from '../../project/snapshot.ts';
import { createDiagnostic, DiagnosticError } from '../../text/diagnostic.ts';
import type { Source } from '../../text/source.ts';
import { type Params, substituteParams } from '../params/params.ts';
import { findImports } from './find-imports.ts';

/** Maximum characters of all scripts of a run together. */
const MAX_CHARACTERS = 32 * 1024 ** 2;

/** Characters of a too large file that are kept for its code frame. */
const SHOWN_CHARACTERS = 1_000;

/** The prefix of import paths of the standard library. */
export const STANDARD = 'std/';

/**
 * Reads packages and everything that they import, directly or indirectly (docs/reference/projects.md#imports); the
 * first package is the root. Leaves out unreadable packages. Throws a ParamError, and a DiagnosticError if the scripts
 * are too large.
 */
export function collectSnapshot(
  loader: ScriptLoader,
  roots: readonly [string, ...string[]],
  params: Params,
): Snapshot {
  const packages = new Map<string, SnapshotPackage>();
  const waiting: string[] = [...roots];
  let characters = 0;
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const source = packages.has(id) ? null : loader.readPackage(id);
    if (source === null) continue;
    for (const file of source.files) {
      characters += file.text.length;
      if (characters > MAX_CHARACTERS) throw createTooLarge(file);
    }
    const imports = resolveImports(loader, source, params);
    packages.set(id, { ...source, imports });
    for (const target of Object.values(imports)) if (target.kind === 'package') waiting.push(target.id);
  }
  return { root: roots[0], packages: [...packages.values()] };
}

function resolveImports(
  loader: ScriptLoader,
  { id, files }: PackageSource,
  params: Params,
): Readonly<Record<string, ImportTarget>> {
  const paths = new Set(files.flatMap((source) => findImports(substituteParams(source, params))));
  const own = [...paths].filter((path) => !path.startsWith(STANDARD));
  return Object.fromEntries(own.map((path) => [path, loader.resolveImport(id, path)]));
}

function createTooLarge(source: Source): DiagnosticError {
  const max = printCount(MAX_CHARACTERS);
  const message = `with this file, the scripts of a run have more than ${max} characters`;
  // The error points to the first line, so a prefix of the file is enough.
  const shown = { ...source, text: source.text.slice(0, SHOWN_CHARACTERS) };
  return new DiagnosticError([createDiagnostic(shown, { start: 0, end: 0 }, message, 'file')]);
}
