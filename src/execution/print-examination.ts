import { compileFile } from '../engine/script/compile.ts';
import { checkSnapshot, loadProgram } from '../engine/script/load-program.ts';
import { createParseCache } from '../engine/script/parse-cache.ts';
import { SQL_DIALECT } from '../engine/text/sql-dialect.ts';
import { SQL_LEXIS } from '../engine/text/sql-lexis.ts';
import type { Examination, ExecutionRequest } from './request.ts';

/**
 * The body that answers an examination: every finding, or the steps of a script. Throws a DiagnosticError for a script
 * that cannot be compiled, and a ParamError.
 */
export function printExamination({ params, connection }: ExecutionRequest, work: Examination): string {
  return `${JSON.stringify({ data: examine() })}\n`;

  function examine(): readonly object[] {
    const cache = createParseCache();
    if (work.kind === 'check') {
      return work.diagnostics.length > 0 ? work.diagnostics : checkSnapshot(work.snapshot, params, cache);
    }
    const program = loadProgram(work.snapshot, params, cache);
    const { kind } = connection;
    const options = { dialect: SQL_DIALECT[kind], lexis: SQL_LEXIS[kind], now: Date.now() };
    return compileFile(program, work.file, options);
  }
}
