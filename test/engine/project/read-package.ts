import type { ScriptLoader } from '../../../src/engine/project/package-loader.ts';
import { DiagnosticError } from '../../../src/engine/text/diagnostic.ts';
import type { Source } from '../../../src/engine/text/source.ts';

/** A package with all its files; null if it does not exist. Throws a DiagnosticError with all files that cannot be read. */
export function readPackage(
  loader: ScriptLoader,
  id: string,
): { readonly id: string; readonly name: string; readonly files: readonly Source[] } | null {
  const readings = loader.listScripts(id)?.map((entry) => entry.read());
  if (readings === undefined) return null;
  const errors = readings.flatMap(({ error }) => error ?? []);
  if (errors.length > 0) throw new DiagnosticError(errors);
  return { id, name: loader.printName(id), files: readings.flatMap(({ source }) => source ?? []) };
}
