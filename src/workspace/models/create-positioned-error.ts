import { type Rendered, toOriginalSpan } from '../../engine/script/params/params.ts';
import { createDiagnostic, DiagnosticError } from '../../engine/text/diagnostic.ts';
import type { Span } from '../../engine/text/span.ts';

/** Maps an error to its position in the author's source. */
export function createPositionedError(
  rendered: Rendered,
  { span, message }: { readonly span: Span; readonly message: string },
): DiagnosticError {
  return new DiagnosticError([
    createDiagnostic(rendered.source, toOriginalSpan(rendered, span), message, 'sql'),
  ]);
}
