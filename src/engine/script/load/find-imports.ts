import { printCount } from '../../../invariants/print-count.ts';
import { createDiagnostic, DiagnosticError } from '../../text/diagnostic.ts';
import type { Rendered } from '../params/params.ts';
import { toOriginalSpan } from '../params/params.ts';
import { lexExpression } from '../syntax/lex-expression.ts';

const DIRECTIVE = '#+import';

/** Maximum imports of a script: each is looked up while other requests wait. */
const MAX_IMPORTS = 1_000;

/** Characters after the first surplus import that are kept for its code frame. */
const SHOWN_BEHIND = 1_000;

/**
 * The paths that a script can import, without parsing it: includes imports in comments and invalid lines. Throws a
 * DiagnosticError for too many imports.
 */
export function findImports(rendered: Rendered): readonly string[] {
  const { text } = rendered;
  const paths: string[] = [];
  let count = 0;
  // A search for a fixed string is fast even in the longest script; a search for a pattern is not.
  for (let at = text.indexOf(DIRECTIVE); at !== -1; at = text.indexOf(DIRECTIVE, at + 1)) {
    const end = at + DIRECTIVE.length;
    if (/\w/.test(text.charAt(end)) || !beginsLine(text, at)) continue;
    count += 1;
    if (count > MAX_IMPORTS) throw tooManyImports(rendered, at);
    const path = readPath(rendered, end);
    if (path !== null) paths.push(path);
  }
  return paths;
}

/** Whether only spaces precede a position on its line. */
function beginsLine(text: string, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && /[^\S\n\r\u2028\u2029]/.test(text.charAt(before))) before -= 1;
  return before < 0 || /[\n\r\u2028\u2029]/.test(text.charAt(before));
}

function tooManyImports(rendered: Rendered, at: number): DiagnosticError {
  const span = toOriginalSpan(rendered, { start: at, end: at + DIRECTIVE.length });
  const message = `a script can have at most ${printCount(MAX_IMPORTS)} imports`;
  // The code frame does not show the lines after it.
  const shown = { ...rendered.source, text: rendered.source.text.slice(0, span.end + SHOWN_BEHIND) };
  return new DiagnosticError([createDiagnostic(shown, span, message, 'file')]);
}

function readPath(rendered: Rendered, at: number): string | null {
  try {
    const { kind, text } = lexExpression(rendered, at, false);
    return kind === 'string' ? text : null;
  } catch {
    return null;
  }
}
