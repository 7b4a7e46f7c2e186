import type { Span } from '../../text/span.ts';

/** An error at one position of a script; `span` refers to the source with its parameters replaced. */
export class ScriptSyntaxError extends Error {
  readonly span: Span;

  constructor(message: string, span: Span) {
    super(message);
    this.name = 'ScriptSyntaxError';
    this.span = span;
  }
}

/** An unmatched directive; possibly its beginning had an error. */
export class UnmatchedDirectiveError extends ScriptSyntaxError {}
