import { elementAt } from '../invariants/must.ts';

const MAX_WORD_LENGTH = 64;
const MAX_EDITS = 4;

/**
 * The candidate that was most likely meant by a mistyped word, if one is similar: letters changed, missing, added or
 * swapped, case ignored. Of equally similar candidates, the first in code unit order.
 */
export function suggest(word: string, candidates: Iterable<string>): string | undefined {
  const typed = word.toLowerCase();
  let best: string | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const limit = Math.min(fewest, findLimit(word, candidate));
    if (candidate === word || Math.abs(candidate.length - word.length) > limit) continue;
    const edits = countEdits(typed, candidate.toLowerCase(), limit);
    if (edits > limit || (edits === fewest && best !== undefined && best <= candidate)) continue;
    best = candidate;
    fewest = edits;
  }
  return best;
}

/** One edit for every three letters; in very short and very long words, only case may differ. */
function findLimit(word: string, candidate: string): number {
  const length = Math.max(word.length, candidate.length);
  return length > MAX_WORD_LENGTH ? 0 : Math.min(MAX_EDITS, Math.floor(length / 3));
}

/** Damerau-Levenshtein distance (a swap of neighbours is one edit), or any number above `limit`. */
function countEdits(from: string, to: string, limit: number): number {
  if (from === to) return 0;
  if (limit === 0) return 1;
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, column) => column);
  let lastFewest = 0;
  for (let row = 1; row <= from.length; row += 1) {
    const current = countRow(from, to, row, beforeLast, last);
    const fewest = Math.min(...current);
    if (fewest > limit && lastFewest > limit) return limit + 1;
    beforeLast = last;
    last = current;
    lastFewest = fewest;
  }
  return elementAt(last, to.length);
}

function countRow(
  from: string,
  to: string,
  row: number,
  beforeLast: readonly number[],
  last: readonly number[],
): readonly number[] {
  const current = [row];
  for (let column = 1; column <= to.length; column += 1) {
    const replaced = elementAt(last, column - 1) + (from[row - 1] === to[column - 1] ? 0 : 1);
    let edits = Math.min(replaced, elementAt(last, column) + 1, elementAt(current, column - 1) + 1);
    if (row > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
      edits = Math.min(edits, elementAt(beforeLast, column - 2) + 1);
    }
    current.push(edits);
  }
  return current;
}
