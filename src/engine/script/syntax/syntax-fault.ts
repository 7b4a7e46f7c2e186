import type { Span } from '../../text/span.ts';

/** What is wrong at one place of a script; `span` is one of the text with its parameters replaced. */
export class SyntaxFault extends Error {
  readonly span: Span;

  constructor(message: string, span: Span) {
    super(message);
    this.name = 'SyntaxFault';
    this.span = span;
  }
}
