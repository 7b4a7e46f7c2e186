import { listSources } from '../../engine/project/snapshot.ts';
import { createWarnings } from '../../engine/run/outcome/warnings.ts';
import { compileFile } from '../../engine/script/compile.ts';
import { listParameters, type ScriptParameter } from '../../engine/script/load/list-parameters.ts';
import { listLibraryPaths, listSymbols, type ScriptImport } from '../../engine/script/load/list-symbols.ts';
import { checkLongSnapshot, loadLongProgram } from '../../engine/script/load/load-program.ts';
import { createParseCache } from '../../engine/script/load/parse-cache.ts';
import { finishInPieces } from '../../engine/text/finish-in-pieces.ts';
import type { Interruptible } from '../../engine/text/interruptible.ts';
import { LEXICAL_RULES } from '../../engine/text/lexical-rules.ts';
import { SQL_DIALECT } from '../../engine/text/sql-dialect.ts';
import { type ExecutionRequest, findTextKind, type Inspection } from '../contract/request.ts';

/** The diagnostics, steps or symbols in `data`; the parameters of a checked script, and the imports of another. */
interface Findings {
  readonly data: readonly object[];
  readonly parameters?: readonly ScriptParameter[] | undefined;
  readonly imports?: readonly ScriptImport[];
  readonly packages?: readonly string[];
  readonly connection?: string | null;
}

/**
 * Prints the answer of an inspection: all diagnostics, or the steps of a script, and the warnings, if any. Rejects with
 * a DiagnosticError for a script that cannot be compiled, and with a ParamError.
 */
export async function printInspection(
  request: ExecutionRequest,
  work: Inspection,
  signal: AbortSignal,
): Promise<string> {
  const { params } = request;
  const textKind = findTextKind(request);
  const lexicalRules = LEXICAL_RULES[textKind];
  const warnings = createWarnings(request.warnings);
  const cache = createParseCache();
  const findings = await finishInPieces(examine(), signal);
  const found = warnings.list();
  const answer = { ...findings, warnings: found.length > 0 ? found : undefined };
  return `${JSON.stringify(answer)}\n`;

  function* examine(): Interruptible<Findings> {
    if (work.kind === 'check') {
      const { diagnostics, snapshot, file } = work;
      const source = listSources(snapshot).find(({ name }) => name === file);
      const parameters = source === undefined ? undefined : yield* listParameters(source, lexicalRules);
      if (diagnostics.length > 0) return { data: diagnostics, parameters };
      return { data: yield* checkLongSnapshot(snapshot, { params, lexicalRules }, cache), parameters };
    }
    if (work.kind === 'symbols') {
      const { snapshot, file, packages, connection } = work;
      const found = yield* listSymbols(snapshot, file, params, cache);
      return { ...found, packages: [...packages, ...listLibraryPaths()], connection };
    }
    const program = yield* loadLongProgram(work.snapshot, params, cache);
    const { warn } = warnings;
    const options = { dialect: SQL_DIALECT[textKind], lexicalRules, now: Date.now(), warn };
    return { data: compileFile(program, work.file, options) };
  }
}
