import type { Span } from '../../text/span.ts';

/** An error at one position of a script; `span` refers to the source with its parameters replaced. */
export class SyntaxFault extends Error {
  readonly span: Span;

  constructor(message: string, span: Span) {
    super(message);
    this.name = 'SyntaxFault';
    this.span = span;
  }
}

/** An unmatched directive; possibly its beginning had an error. */
export class StrayFault extends SyntaxFault {}
