import { printCount } from '../../../invariants/print-count.ts';
import { createDiagnostic, DiagnosticError } from '../../text/diagnostic.ts';
import type { Rendered } from '../params/params.ts';
import { toOriginalSpan } from '../params/params.ts';
import { lexExpression } from '../syntax/lex-expression.ts';

const DIRECTIVE = '#+import';

/** How many imports a script may have: each is looked up while others wait. */
const MAX_IMPORTS = 1_000;

/** Characters behind the import that is too many of which its code frame may have some. */
const SHOWN_BEHIND = 1_000;

/**
 * The paths that a script may import, without parsing it: also of those in comments and broken lines. Throws a
 * DiagnosticError for too many.
 */
export function findImports(rendered: Rendered): readonly string[] {
  const { text } = rendered;
  const paths: string[] = [];
  let count = 0;
  // A search for a fixed text takes no time to speak of in the longest script, which one for a pattern does.
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

/** Whether nothing but spaces stands before a place on its line. */
function beginsLine(text: string, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && /[^\S\n\r\u2028\u2029]/.test(text.charAt(before))) before -= 1;
  return before < 0 || /[\n\r\u2028\u2029]/.test(text.charAt(before));
}

function tooManyImports(rendered: Rendered, at: number): DiagnosticError {
  const span = toOriginalSpan(rendered, { start: at, end: at + DIRECTIVE.length });
  const message = `a script may have at most ${printCount(MAX_IMPORTS)} imports`;
  // The lines behind it need not be counted.
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
