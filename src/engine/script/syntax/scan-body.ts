import { present } from '../../../invariants/must.ts';
import type { Span } from '../../text/span.ts';
import { isReplaced, type Rendered } from '../params/params.ts';
import { findEnclosures } from './enclosures.ts';
import { isInMySqlText } from './mysql-texts.ts';
import { TextSearch } from './text-search.ts';

/**
 * An event in the text of a body: the `{{` of an interpolation, a directive `#+word`, a comment, the end of the script,
 * or a pause, after which the search continues at `start`. For a directive, `atLineStart` says whether only whitespace
 * and comments precede it on its line; `isQuoted` whether it is in a string, a quoted name or a comment of MySQL.
 */
export type BodyEvent =
  | ({ readonly kind: 'interpolation' | 'comment' | 'end-of-text' | 'pause' } & Span)
  | ({
      readonly kind: 'directive';
      readonly word: string;
      readonly atLineStart: boolean;
      readonly isQuoted: boolean;
    } & Span);

const OUTSIDE = /\{\{|#\+[A-Za-z]\w*|--|\/\*|['"]|\$(?:[A-Za-z_]\w*)?\$/g;
/** Up to 1000 consecutive quotes without events in them, or a match of `OUTSIDE`. */
const OUTSIDE_PLAIN = new RegExp(
  `((?:(?<![eE])'[^'{#]*'|"[^"{#]*"|\\$\\$[^\${#]*\\$\\$){1,1000})|${OUTSIDE.source}`,
  'g',
);
const IN_QUOTES: Readonly<Record<string, RegExp>> = {
  "'": /\{\{|#\+[A-Za-z]\w*|'/g,
  '"': /\{\{|#\+[A-Za-z]\w*|"/g,
  "e'": /\{\{|#\+[A-Za-z]\w*|\\[\s\S]|'/g,
};
const MAX_PATTERNS = 100;
const BLANK = /[^\S\n\r]/;
const LINE_ENDS = '\n\r';
const WORD_BEFORE = /[\p{L}\p{N}_$]/u;

/**
 * Finds the events of a body, from left to right. Inside strings, quoted names and dollar quotes, it finds
 * interpolations and directives, but no comments. Values of parameters are only text.
 */
export class BodyScanner {
  readonly #rendered: Rendered;
  readonly #text: string;
  /** Matches events outside quotes, or text to skip. */
  readonly #outside: RegExp;
  /** The closing mark of the open quote, and the pattern of events inside it. */
  #quote: { readonly close: string; readonly pattern: RegExp } | null = null;

  readonly #search: TextSearch;
  /** The last comment, which can precede a directive on its line. */
  #comment: Span = { start: -1, end: -1 };

  constructor(rendered: Rendered, search = new TextSearch(rendered.text)) {
    this.#rendered = rendered;
    this.#text = rendered.text;
    this.#search = search;
    this.#outside = rendered.regions.count === 0 ? OUTSIDE_PLAIN : OUTSIDE;
  }

  /** The first event at or after `from`. */
  find(from: number): BodyEvent {
    const text = this.#text;
    for (let at = from; ; ) {
      const pattern: RegExp = this.#quote?.pattern ?? this.#outside;
      const match = this.#search.exec(pattern, at);
      if (match === null) return { kind: 'end-of-text', start: text.length, end: text.length };
      if ('next' in match) return { kind: 'pause', start: match.next, end: match.next };
      const [mark] = match;
      const start = match.index;
      at = start + mark.length;
      if (match[1] !== undefined) continue;
      if (isReplaced(this.#rendered, start) || isReplaced(this.#rendered, at - 1)) {
        at = start + 1;
        continue;
      }
      const event = this.#toEvent(mark, start, at);
      if (event !== null) return event;
    }
  }

  #toEvent(mark: string, start: number, end: number): BodyEvent | null {
    if (mark === '{{') return { kind: 'interpolation', start, end };
    if (mark.startsWith('#+')) {
      const atLineStart = this.#isAtLineStart(start);
      const isQuoted = this.#quote !== null || isInMySqlText(this.#rendered, start);
      return { kind: 'directive', word: mark.slice(2), atLineStart, isQuoted, start, end };
    }
    if (mark === '--' || mark === '/*') {
      const close = mark === '--' ? this.#findLineEnd(end) : this.#findCommentEnd(start);
      if (close === null) return null;
      this.#comment = { start, end: close };
      return { kind: 'comment', ...this.#comment };
    }
    this.#turnQuote(mark, start, end);
    return null;
  }

  /** Opens or closes a quote; ignores an escape sequence. */
  #turnQuote(mark: string, start: number, end: number): void {
    if (this.#quote !== null) {
      if (mark === this.#quote.close) this.#quote = null;
    } else if (mark.startsWith('$')) {
      const last = findEnclosures(this.#rendered).lastTags.get(mark) ?? -1;
      if (last >= end) this.#quote = { close: mark, pattern: toDollarPattern(mark) };
    } else {
      const kind = mark === "'" && this.#isEscapeString(start) ? "e'" : mark;
      this.#quote = { close: mark, pattern: present(IN_QUOTES[kind]) };
    }
  }

  #isEscapeString(at: number): boolean {
    const letter = this.#text.charAt(at - 1);
    return (letter === 'e' || letter === 'E') && !WORD_BEFORE.test(this.#text.charAt(at - 2));
  }

  #isAtLineStart(at: number): boolean {
    let before = at - 1;
    for (;;) {
      while (BLANK.test(this.#text.charAt(before))) before -= 1;
      if (before + 1 !== this.#comment.end) break;
      before = this.#comment.start - 1;
    }
    return before < 0 || LINE_ENDS.includes(this.#text.charAt(before));
  }

  #findLineEnd(from: number): number {
    let end = this.#text.indexOf('\n', from);
    while (end !== -1 && isReplaced(this.#rendered, end)) end = this.#text.indexOf('\n', end + 1);
    return end === -1 ? this.#text.length : end;
  }

  /** Block comments nest; an unclosed comment is left to the database. */
  #findCommentEnd(start: number): number | null {
    const { commentEnds, lastCommentEnd } = findEnclosures(this.#rendered);
    const end = commentEnds.get(start);
    if (end !== undefined) return end;
    return start + 4 > lastCommentEnd ? null : this.#text.indexOf('*/', start + 2) + 2;
  }
}

/** Cache of patterns by tag: scripts with short quotes need them often. */
const dollarPatterns = new Map<string, RegExp>();

function toDollarPattern(tag: string): RegExp {
  const cachedPattern = dollarPatterns.get(tag);
  if (cachedPattern !== undefined) return cachedPattern;
  if (dollarPatterns.size >= MAX_PATTERNS) dollarPatterns.clear();
  const pattern = new RegExp(`\\{\\{|#\\+[A-Za-z]\\w*|${tag.replaceAll('$', '\\$')}`, 'g');
  dollarPatterns.set(tag, pattern);
  return pattern;
}
