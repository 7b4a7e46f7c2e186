import { createWarnings } from '../../engine/run/outcome/warnings.ts';
import { compileFile } from '../../engine/script/compile.ts';
import { checkLongSnapshot, loadLongProgram } from '../../engine/script/load/load-program.ts';
import { createParseCache } from '../../engine/script/load/parse-cache.ts';
import { finishInPieces } from '../../engine/text/finish-in-pieces.ts';
import type { Interruptible } from '../../engine/text/interruptible.ts';
import { LEXICAL_RULES } from '../../engine/text/lexical-rules.ts';
import { SQL_DIALECT } from '../../engine/text/sql-dialect.ts';
import { type ExecutionRequest, findTextKind, type Inspection } from '../contract/request.ts';

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
  const data = await finishInPieces(examine(), signal);
  const found = warnings.list();
  return `${JSON.stringify({ data, ...(found.length > 0 ? { warnings: found } : {}) })}\n`;

  function* examine(): Interruptible<readonly object[]> {
    const cache = createParseCache();
    if (work.kind === 'check') {
      const { diagnostics, snapshot } = work;
      if (diagnostics.length > 0) return diagnostics;
      return yield* checkLongSnapshot(snapshot, { params, lexicalRules }, cache);
    }
    const program = yield* loadLongProgram(work.snapshot, params, cache);
    const { warn } = warnings;
    return compileFile(program, work.file, {
      dialect: SQL_DIALECT[textKind],
      lexicalRules,
      now: Date.now(),
      warn,
    });
  }
}
