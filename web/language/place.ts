import type { Text } from '@codemirror/state';
import { type ScanRules, scanToken } from './scan/scan-line.ts';
import { type ScanState, START, type TokenKind } from './scan/state.ts';

/** What the scanner knows at a position. */
export interface ScanPosition {
  readonly state: ScanState;
  /** The token that ends at the position or contains it; null at the start of a line. */
  readonly token: { readonly kind: TokenKind; readonly from: number; readonly to: number } | null;
}

/** A declaration at the start of a line, where the state of the scanner is known. */
const DECLARATION = /^\s*#\+(?:import|src|test|macro|const)\b/;
/** The number of lines before the position that are scanned at most. */
const MAX_LINES = 5_000;
/** Longer lines are not scanned. */
const MAX_LINE_LENGTH = 10_000;

/** Finds the place of a position: scans from the last declaration before it. */
export function findPlace(doc: Text, position: number, rules: ScanRules): ScanPosition {
  const last = doc.lineAt(position);
  let first = last.number;
  while (first > 1 && last.number - first < MAX_LINES && !isDeclaration(doc, first, rules)) first -= 1;
  let place: ScanPosition = { state: START, token: null };
  for (let number = first; number <= last.number; number += 1) {
    const { from, text } = doc.line(number);
    const end = number === last.number ? position - from : text.length;
    place = scanLine(text.slice(0, MAX_LINE_LENGTH), from, end, place.state, rules);
  }
  return place;
}

function isDeclaration(doc: Text, number: number, { isScript }: ScanRules): boolean {
  return isScript && DECLARATION.test(doc.line(number).text);
}

/** Scans a line up to `end`. The state inside a token is that before it. */
function scanLine(
  line: string,
  from: number,
  end: number,
  before: ScanState,
  rules: ScanRules,
): ScanPosition {
  let place: ScanPosition = { state: before, token: null };
  for (let at = 0; at < Math.min(end, line.length); ) {
    const { kind, end: next, state } = scanToken(line, at, place.state, rules);
    place = { state: next > end ? place.state : state, token: { kind, from: from + at, to: from + next } };
    at = next;
  }
  return place;
}
