import { createWarnings } from '../../engine/run/outcome/warnings.ts';
import { compileFile } from '../../engine/script/compile.ts';
import { checkSnapshot, loadProgram } from '../../engine/script/load/load-program.ts';
import { createParseCache } from '../../engine/script/load/parse-cache.ts';
import { LEXICAL_RULES } from '../../engine/text/lexical-rules.ts';
import { SQL_DIALECT } from '../../engine/text/sql-dialect.ts';
import type { ExecutionRequest, Inspection } from '../contract/request.ts';

/**
 * The body that answers an inspection: every finding, or the steps of a script, and the
 * warnings, if there are any. Throws a DiagnosticError for a script
 * that cannot be compiled, and a ParamError.
 */
export function printInspection(request: ExecutionRequest, work: Inspection): string {
  const { params, connection } = request;
  const lexicalRules = LEXICAL_RULES[connection.kind];
  const warnings = createWarnings(request.warnings);
  const data = examine();
  const found = warnings.list();
  return `${JSON.stringify({ data, ...(found.length > 0 ? { warnings: found } : {}) })}\n`;

  function examine(): readonly object[] {
    const cache = createParseCache();
    if (work.kind === 'check') {
      const { diagnostics, snapshot } = work;
      return diagnostics.length > 0 ? diagnostics : checkSnapshot(snapshot, { params, lexicalRules }, cache);
    }
    const program = loadProgram(work.snapshot, params, cache);
    const { kind } = connection;
    const { warn } = warnings;
    return compileFile(program, work.file, {
      dialect: SQL_DIALECT[kind],
      lexicalRules,
      now: Date.now(),
      warn,
    });
  }
}
