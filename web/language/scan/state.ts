import type { Lexeme } from '../../../src/engine/text/sql-lexemes.ts';

/** A lexeme of SQL that continues on the next line, or after an expression inside it. */
export interface OpenLexeme {
  readonly lexeme: Lexeme;
  /** What its closing mark belongs to: a quote, the tag of a dollar quote, or one mark for each open comment. */
  readonly opening: string;
}

/** What the scanner reads: a body, or one of the places that contain tokens of expressions. */
type Place =
  | 'body'
  | 'header'
  | 'import'
  | 'constants'
  | 'interpolation'
  | 'condition'
  | 'loop-variable'
  | 'loop';

/**
 * What the scanner knows between two tokens. It needs nothing else to continue, so an editor can keep it for each line
 * and scan only what changes.
 */
export interface ScanState {
  readonly place: Place;
  /** Whether the body belongs to a declaration. */
  readonly isDeclared: boolean;
  /** The number of open `#+if` and `#+for`. */
  readonly parts: number;
  /** The open lexeme of the body. */
  readonly open: OpenLexeme | null;
  /** The open string or comment of an expression. */
  readonly inner: '"' | '`' | '/*' | null;
  /** The open brackets of an expression. */
  readonly brackets: string;
  /** Whether the last token of the expression can end it. */
  readonly isAfterValue: boolean;
}

/** The state at the start of a text. */
export const START: ScanState = {
  place: 'body',
  isDeclared: false,
  parts: 0,
  open: null,
  inner: null,
  brackets: '',
  isAfterValue: false,
};

/** What a token is, for the colours of the editor. */
export type TokenKind =
  | 'space'
  | 'comment'
  | 'word'
  | 'keyword'
  | 'function'
  | 'number'
  | 'string'
  | 'quoted-name'
  | 'punctuation'
  | 'parameter'
  | 'directive'
  | 'brace'
  | 'name'
  | 'symbol'
  | 'value-word'
  | 'operator'
  | 'unknown';

/** A token: it starts where the scanner was, and is never empty. */
export interface Scanned {
  readonly kind: TokenKind;
  readonly end: number;
  readonly state: ScanState;
}
