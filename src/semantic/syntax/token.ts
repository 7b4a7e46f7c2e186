import type { Span } from '../../engine/text/span.ts';
import type { SqlToken } from '../../engine/text/sql-scanner.ts';

/** A word or a sign of a text; `word` is a word without quotes in lower case, or the sign itself, else empty. */
export interface Token extends Span {
  readonly kind: SqlToken['kind'];
  readonly word: string;
}

/** One statement, cut into its tokens without spaces and comments; there is at least one. */
export interface ScannedStatement extends Span {
  readonly tokens: readonly Token[];
}
