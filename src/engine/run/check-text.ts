import { findUnsetParams, type Rendered, toOriginalSpan, type UnsetParam } from '../script/params.ts';
import { createDiagnostic, type Diagnostic, DiagnosticError } from '../text/diagnostic.ts';
import type { Span } from '../text/span.ts';
import type { SqlLexis } from '../text/sql-lexis.ts';

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

function findNul(rendered: Rendered): Diagnostic[] {
  const at = rendered.text.indexOf('\0');
  if (at === -1) return [];
  const span = toOriginalSpan(rendered, { start: at, end: at + 1 });
  return [
    createDiagnostic(rendered.source, span, 'SQL may not hold a NUL character: write chr(0) in its place'),
  ];
}

function findUnset(rendered: Rendered, statement: Span, lexis: SqlLexis): Diagnostic[] {
  const text = rendered.text.slice(statement.start, statement.end);
  if (/^prepare\b/i.test(text)) return [];
  return findUnsetParams(text, lexis).map((param) => {
    const place = { start: statement.start + param.span.start, end: statement.start + param.span.end };
    return createDiagnostic(rendered.source, toOriginalSpan(rendered, place), describeUnset(param));
  });
}

function describeUnset({ kind, name }: UnsetParam): string {
  return kind === 'named'
    ? `parameter \`$${name}\` has no value: supply it with --param ${name}=…`
    : `\`${name}\` is a positional parameter, which nothing fills: name it, as in $name, and supply it with --param`;
}
