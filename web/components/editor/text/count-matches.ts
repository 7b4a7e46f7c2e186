import type { SearchQuery } from '@codemirror/search';
import type { EditorState } from '@codemirror/state';

/** The matches that are counted; more are “10,000+”. */
const MAX_COUNTED = 10_000;
/** How long it counts without a pause, in milliseconds. */
const PAUSE_MS = 10;

/** A part of a text. */
interface Match {
  readonly from: number;
  readonly to: number;
}

/** The matches of a search in a text, in their order. */
export interface Matches {
  readonly found: readonly Match[];
  /** Whether the text has more than these. */
  readonly hasMore: boolean;
  /** Whether the whole text was searched, or enough of it. */
  readonly isDone: boolean;
}

/** Counts the matches, and pauses often, so that keys are answered meanwhile; each pause gives what was found so far. */
export function* countMatches(query: SearchQuery, state: EditorState): Generator<Matches, void, void> {
  const found: Match[] = [];
  let until = performance.now() + PAUSE_MS;
  for (const cursor = query.getCursor(state); ; ) {
    const { done, value } = cursor.next();
    if (done === true) break;
    if (value.from === value.to) continue;
    if (found.length === MAX_COUNTED) return yield { found, hasMore: true, isDone: true };
    found.push({ from: value.from, to: value.to });
    if (performance.now() < until) continue;
    yield { found, hasMore: false, isDone: false };
    until = performance.now() + PAUSE_MS;
  }
  yield { found, hasMore: false, isDone: true };
}

/** Prints the number of matches, and that of the selected one: `3 of 17`. */
export function printMatches({ found, hasMore, isDone }: Matches, selected: Match): string {
  const total = `${found.length.toLocaleString('en-US')}${hasMore ? '+' : ''}`;
  const at = findIndex(found, selected);
  if (at !== -1) return `${(at + 1).toLocaleString('en-US')} of ${isDone ? total : '…'}`;
  if (!isDone) return 'Searching…';
  if (found.length === 0) return 'No match';
  return found.length === 1 ? '1 match' : `${total} matches`;
}

/** The index of a match; -1 for another part of the text. */
function findIndex(found: readonly Match[], { from, to }: Match): number {
  let [low, high] = [0, found.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((found[middle]?.from ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  const match = found[low];
  return match?.from === from && match.to === to ? low : -1;
}

/** Why a text is not a regular expression; null if it is one. */
export function explainRegExp(source: string): string | null {
  try {
    new RegExp(source, 'u');
    return null;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return `This is not a regular expression: ${message.slice(message.lastIndexOf(': ') + 2)}`;
  }
}
