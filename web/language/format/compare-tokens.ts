import type { LexicalRules } from '../../../src/engine/text/lexical-rules.ts';
import { type SqlToken, scanSql } from '../../../src/engine/text/sql-scanner.ts';

/** A token, and whether it directly follows the token before it. */
interface Piece {
  readonly kind: SqlToken['kind'];
  readonly text: string;
  readonly isGlued: boolean;
}

const OPERATOR = /^[-+*/<>=~!@#%^&|?:.]$/;

/**
 * Whether two texts have the same tokens, and white space differs only where it means nothing. It means something inside
 * operators (`->`), before the quote of `x'00'`, after `@` and `:`, and before the `(` of a call.
 */
export function hasSameTokens(one: string, other: string, lexicalRules: LexicalRules): boolean {
  const [before, after] = [listPieces(one, lexicalRules), listPieces(other, lexicalRules)];
  if (before.length !== after.length) return false;
  return before.every((piece, at) => {
    const next = after[at];
    if (next === undefined || next.kind !== piece.kind || next.text !== piece.text) return false;
    return next.isGlued === piece.isGlued || !isSignificant(before[at - 1], piece);
  });
}

/** Whether a string follows another one: a line break between them makes them one string. */
export function hasAdjacentStrings(text: string, lexicalRules: LexicalRules): boolean {
  const pieces = listPieces(text, lexicalRules).filter(({ kind }) => kind !== 'comment');
  return pieces.some(({ kind }, at) => kind === 'string' && pieces[at - 1]?.kind === 'string');
}

function listPieces(text: string, lexicalRules: LexicalRules): readonly Piece[] {
  const pieces: Piece[] = [];
  let end = -1;
  for (const token of scanSql(text, lexicalRules)) {
    if (token.kind === 'space') continue;
    const tokenText = text.slice(token.start, token.end);
    // The lines of a comment can be indented.
    const shown = token.kind === 'comment' ? tokenText.replace(/\s+/g, ' ').trim() : tokenText;
    pieces.push({ kind: token.kind, text: shown, isGlued: token.start === end });
    end = token.end;
  }
  return pieces;
}

function isSignificant(before: Piece | undefined, { kind, text }: Piece): boolean {
  if (before === undefined) return false;
  if (OPERATOR.test(before.text) && OPERATOR.test(text)) return true;
  if (before.kind === 'word') return kind === 'string' || text === '(';
  return (before.text === '@' || before.text === ':') && kind !== 'punctuation';
}
