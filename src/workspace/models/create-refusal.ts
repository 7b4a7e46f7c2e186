import { type Rendered, toOriginalSpan } from '../../engine/script/params/params.ts';
import { createDiagnostic, DiagnosticError } from '../../engine/text/diagnostic.ts';
import type { Span } from '../../engine/text/span.ts';

/** What is refused of a text, in the text of its author. */
export function createRefusal(
  rendered: Rendered,
  { span, message }: { readonly span: Span; readonly message: string },
): DiagnosticError {
  return new DiagnosticError([
    createDiagnostic(rendered.source, toOriginalSpan(rendered, span), message, 'sql'),
  ]);
}
