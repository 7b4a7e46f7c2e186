import type { LexicalRules } from '../../../src/engine/text/lexical-rules.ts';
import { scanBody } from './scan-body.ts';
import { scanExpression } from './scan-expression.ts';
import { type Scanned, type ScanState, START } from './state.ts';

/** How a text is read: the rules of its database, and whether directives and expressions count. */
export interface ScanRules {
  readonly lexicalRules: LexicalRules;
  readonly isScript: boolean;
  /** The words of SQL that are keywords, in lower case. */
  readonly keywords: ReadonlySet<string>;
}

/** A declaration at the start of a line, from which scanning continues after an unfinished header or expression. */
const DECLARATION = /^[^\S\n\r]*#\+(?:import|src|test|macro|const)\b/;

/**
 * Scans the token at `at` of one line without its line end. The rules are those of the engine: its scanner of SQL, and
 * its scanner of expressions. A quote or comment that is never closed extends to the end of the text, because the
 * scanner does not look ahead.
 */
export function scanToken(line: string, at: number, before: ScanState, rules: ScanRules): Scanned {
  const state = at === 0 && isOver(line, before) ? START : before;
  if (state.place === 'body') return scanBody(line, at, state, rules);
  return scanExpression(line, at, state) ?? scanBody(line, at, { ...state, place: 'body' }, rules);
}

/** Whether the header or expression of the last line cannot continue on this one. */
function isOver(line: string, { place }: ScanState): boolean {
  return place === 'import' || (place !== 'body' && DECLARATION.test(line));
}
