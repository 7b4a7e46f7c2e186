import { elementAt } from '../../../invariants/must.ts';
import type { Rendered } from '../params/params.ts';

/** Where MySQL sees a text or a comment on a line: behind `start`, up to `end`. */
interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** What begins or ends a stretch. A `#` of a directive begins none. */
const EDGE = /[`\n\r]|#(?!\+[A-Za-z])/g;

const known = new WeakMap<Rendered, readonly Stretch[]>();

/** Whether a `#` that begins no directive, or an open backtick, stands before `at` on its line. */
export function isInMySqlText(rendered: Rendered, at: number): boolean {
  const stretches = known.get(rendered) ?? findStretches(rendered.text);
  known.set(rendered, stretches);
  let [from, to] = [0, stretches.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (elementAt(stretches, middle).end < at) from = middle + 1;
    else to = middle;
  }
  return from < stretches.length && elementAt(stretches, from).start < at;
}

/** All stretches of a script, from left to right, in one pass. */
function findStretches(text: string): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let open: { readonly start: number; readonly isComment: boolean } | null = null;
  for (const { index, 0: edge } of text.matchAll(EDGE)) {
    const isLineEnd = edge === '\n' || edge === '\r';
    if (open === null) {
      if (!isLineEnd) open = { start: index, isComment: edge === '#' };
    } else if (isLineEnd || (edge === '`' && !open.isComment)) {
      stretches.push({ start: open.start, end: index });
      open = null;
    } else if (edge === '#') open = { start: open.start, isComment: true };
  }
  if (open !== null) stretches.push({ start: open.start, end: text.length });
  return stretches;
}
