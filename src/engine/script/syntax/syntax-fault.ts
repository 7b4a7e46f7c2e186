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

/** A directive that belongs to no other: perhaps to one in which a fault was found before. */
export class StrayFault extends SyntaxFault {}
