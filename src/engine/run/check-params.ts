import { findUnsetParams, type Rendered, toOriginalSpan } from '../script/params.ts';
import { createDiagnostic, DiagnosticError } from '../text/diagnostic.ts';
import type { Span } from '../text/span.ts';
import type { SqlLexis } from '../text/sql-lexis.ts';

/**
 * Refuses a text in which a parameter is left without a value, before anything runs: nothing is ever bound,
 * so the database could only answer with something obscure. PREPARE and EXECUTE bind their own.
 */
export function checkParams(rendered: Rendered, statements: readonly Span[], lexis: SqlLexis): void {
  const diagnostics = statements.flatMap((statement) => {
    const text = rendered.text.slice(statement.start, statement.end);
    if (/^\s*prepare\b/i.test(text)) return [];
    return findUnsetParams(text, lexis).map(({ kind, name, span }) => {
      const place = { start: statement.start + span.start, end: statement.start + span.end };
      const message =
        kind === 'named'
          ? `parameter \`$${name}\` has no value: supply it with --param ${name}=…`
          : `\`${name}\` is a positional parameter, which nothing fills: name it (\`$name\`) and supply it with --param`;
      return createDiagnostic(rendered.source, toOriginalSpan(rendered, place), message);
    });
  });
  if (diagnostics.length > 0) throw new DiagnosticError(diagnostics);
}
