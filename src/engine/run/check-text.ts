import { describeUnset, findUnsetParams, type Rendered, toOriginalSpan } from '../script/params.ts';
import type { Statement } from '../script/steps.ts';
import { createDiagnostic, type Diagnostic, DiagnosticError } from '../text/diagnostic.ts';
import type { Span } from '../text/span.ts';
import type { SqlLexis } from '../text/sql-lexis.ts';

const NUL = 'SQL may not hold a NUL character: write chr(0) in its place';

/**
 * Refuses a text before anything of it runs: when it holds a NUL character, at which a database ends the
 * text without a word, and when a parameter is left without a value (nothing is ever bound; PREPARE and
 * EXECUTE bind their own). Throws a DiagnosticError.
 */
export function checkText(rendered: Rendered, statements: readonly Span[], lexis: SqlLexis): void {
  const diagnostics = [
    ...findNul(rendered),
    ...statements.flatMap((statement) => findUnset(rendered, statement, lexis)),
  ];
  if (diagnostics.length > 0) throw new DiagnosticError(diagnostics);
}

/** The same for one rendered statement. */
export function checkStatement({ sql, findOrigin }: Statement, lexis: SqlLexis): void {
  const nul = sql.indexOf('\0');
  const unset = /^prepare\b/i.test(sql) ? [] : findUnsetParams(sql, lexis);
  const faults = [
    ...(nul === -1 ? [] : [{ span: { start: nul, end: nul + 1 }, message: NUL }]),
    ...unset.map((param) => ({ span: param.span, message: describeUnset(param) })),
  ];
  const diagnostics = faults.flatMap(({ span, message }) => {
    const origin = findOrigin(span);
    return origin === null ? [] : [createDiagnostic(origin.rendered.source, origin.span, message, 'sql')];
  });
  if (diagnostics.length > 0) throw new DiagnosticError(diagnostics);
}

function findNul(rendered: Rendered): Diagnostic[] {
  const at = rendered.text.indexOf('\0');
  if (at === -1) return [];
  const span = toOriginalSpan(rendered, { start: at, end: at + 1 });
  return [createDiagnostic(rendered.source, span, NUL, 'sql')];
}

function findUnset(rendered: Rendered, statement: Span, lexis: SqlLexis): Diagnostic[] {
  const text = rendered.text.slice(statement.start, statement.end);
  if (/^prepare\b/i.test(text)) return [];
  return findUnsetParams(text, lexis).map((param) => {
    const place = { start: statement.start + param.span.start, end: statement.start + param.span.end };
    return createDiagnostic(rendered.source, toOriginalSpan(rendered, place), describeUnset(param), 'sql');
  });
}
