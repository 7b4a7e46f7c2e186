import type { Rendered } from '../params/params.ts';

/** What a scanner would otherwise look for again and again, up to the end of the text. */
interface Enclosures {
  /** Where a block comment ends that begins at an offset, with all those inside of it. */
  readonly commentEnds: ReadonlyMap<number, number>;
  /** Behind the last end of a comment; -1 without one. */
  readonly lastCommentEnd: number;
  /** The last place of each tag that could close a dollar quote. */
  readonly lastTags: ReadonlyMap<string, number>;
}

const COMMENT_EDGE = /\/\*|\*\//g;
/** A tag without its last `$`, which may begin another one. */
const TAG = /\$[A-Za-z_]\w*(?=\$)/g;

const known = new WeakMap<Rendered, Enclosures>();

/** Finds the ends of comments and dollar quotes of a whole script, once. */
export function findEnclosures(rendered: Rendered): Enclosures {
  const found = known.get(rendered) ?? createEnclosures(rendered.text);
  known.set(rendered, found);
  return found;
}

function createEnclosures(text: string): Enclosures {
  const commentEnds = new Map<number, number>();
  const open: number[] = [];
  let lastCommentEnd = -1;
  const edges = text.includes('*/') ? text.matchAll(COMMENT_EDGE) : [];
  for (const { index, 0: edge } of edges) {
    if (edge === '/*') {
      open.push(index);
      continue;
    }
    lastCommentEnd = index + edge.length;
    const start = open.pop();
    if (start !== undefined) commentEnds.set(start, lastCommentEnd);
  }
  const lastTags = new Map<string, number>();
  for (const { index, 0: tag } of text.matchAll(TAG)) lastTags.set(`${tag}$`, index);
  const last = text.lastIndexOf('$$');
  if (last !== -1) lastTags.set('$$', last);
  return { commentEnds, lastCommentEnd, lastTags };
}
