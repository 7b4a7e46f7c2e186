import { finish, type Interruptible, isPause } from '../../text/interruptible.ts';
import type { Rendered } from '../params/params.ts';
import { TextSearch } from './text-search.ts';

/** Positions that a scanner would otherwise search for repeatedly, up to the end of the script. */
interface Enclosures {
  /** The end of a block comment by its start, including nested comments. */
  readonly commentEnds: ReadonlyMap<number, number>;
  /** The offset after the last end of a comment; -1 if there is no comment. */
  readonly lastCommentEnd: number;
  /** The last position of each tag that can close a dollar quote. */
  readonly lastTags: ReadonlyMap<string, number>;
}

const COMMENT_EDGE = /\/\*|\*\//g;
/** A tag without its last `$`, which can start another tag. */
const TAG = /\$[A-Za-z_]\w*(?=\$)/g;

const cache = new WeakMap<Rendered, Enclosures>();

/** Characters from which the enclosures of a script are found before it is parsed, so that other work can run. */
const LONG_SCRIPT = 1024 ** 2;

/** Finds the ends of comments and dollar quotes of a script, once. */
export function findEnclosures(rendered: Rendered): Enclosures {
  const enclosures = cache.get(rendered) ?? finish(createEnclosures(rendered.text));
  cache.set(rendered, enclosures);
  return enclosures;
}

/** Finds the enclosures of a long script in advance; interruptible. */
export function* prepareEnclosures(rendered: Rendered): Interruptible<void> {
  const { text } = rendered;
  if (text.length > LONG_SCRIPT) cache.set(rendered, yield* createEnclosures(text));
}

function* createEnclosures(text: string): Interruptible<Enclosures> {
  const commentEnds = new Map<number, number>();
  const open: number[] = [];
  let lastCommentEnd = -1;
  const noteEdge = (edge: string, index: number) => {
    if (edge === '/*') {
      open.push(index);
      return;
    }
    lastCommentEnd = index + edge.length;
    const start = open.pop();
    if (start !== undefined) commentEnds.set(start, lastCommentEnd);
  };
  if (text.includes('*/')) yield* visitMatches(text, COMMENT_EDGE, noteEdge);
  const lastTags = new Map<string, number>();
  if (!text.includes('$')) return { commentEnds, lastCommentEnd, lastTags };
  yield* visitMatches(text, TAG, (tag, index) => lastTags.set(`${tag}$`, index));
  const last = text.lastIndexOf('$$');
  if (last !== -1) lastTags.set('$$', last);
  return { commentEnds, lastCommentEnd, lastTags };
}

function* visitMatches(
  text: string,
  pattern: RegExp,
  visit: (match: string, index: number) => void,
): Interruptible<void> {
  const search = new TextSearch(text);
  let at = 0;
  for (let passed = 1; ; passed += 1) {
    const match = search.exec(pattern, at);
    if (match === null) return;
    const isOver = 'next' in match;
    if (!isOver) visit(match[0], match.index);
    at = isOver ? match.next : match.index + match[0].length;
    if (isOver || isPause(passed)) yield;
  }
}
