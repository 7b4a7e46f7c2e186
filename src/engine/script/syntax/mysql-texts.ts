import { elementAt } from '../../../invariants/must.ts';
import type { Rendered } from '../params/params.ts';

/** A quoted name or comment of MySQL on one line: after `start`, up to `end`. */
interface QuotedRange {
  readonly start: number;
  readonly end: number;
}

/** The start or end of a range. The `#` of a directive does not start one. */
const EDGE = /[`\n\r]|#(?!\+[A-Za-z])/g;

const cache = new WeakMap<Rendered, readonly QuotedRange[]>();

/** Whether a `#` that does not start a directive, or an open backtick, precedes `at` on its line. */
export function isInMySqlText(rendered: Rendered, at: number): boolean {
  const ranges = cache.get(rendered) ?? findRanges(rendered.text);
  cache.set(rendered, ranges);
  let [from, to] = [0, ranges.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (elementAt(ranges, middle).end < at) from = middle + 1;
    else to = middle;
  }
  return from < ranges.length && elementAt(ranges, from).start < at;
}

/** Finds all ranges of a script, from left to right, in one pass. */
function findRanges(text: string): readonly QuotedRange[] {
  const ranges: QuotedRange[] = [];
  let open: { readonly start: number; readonly isComment: boolean } | null = null;
  for (const { index, 0: edge } of text.matchAll(EDGE)) {
    const isLineEnd = edge === '\n' || edge === '\r';
    if (open === null) {
      if (!isLineEnd) open = { start: index, isComment: edge === '#' };
    } else if (isLineEnd || (edge === '`' && !open.isComment)) {
      ranges.push({ start: open.start, end: index });
      open = null;
    } else if (edge === '#') open = { start: open.start, isComment: true };
  }
  if (open !== null) ranges.push({ start: open.start, end: text.length });
  return ranges;
}
