import type { Span } from '../../engine/text/span.ts';
import type { SqlToken } from '../../engine/text/sql-scanner.ts';

/** A word or a sign; `word` is an unquoted word in lower case, or the sign itself; otherwise empty. */
export interface Token extends Span {
  readonly kind: SqlToken['kind'];
  readonly word: string;
}

/** One statement, split into tokens without whitespace and comments; at least one token. */
export interface ScannedStatement extends Span {
  readonly tokens: readonly Token[];
}
