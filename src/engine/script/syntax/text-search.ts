/** Characters of one search. */
const PART_LENGTH = 512 * 1024;

/** A match, or the start of the next part of the text. */
type SearchResult = RegExpExecArray | { readonly next: number } | null;

/**
 * Searches a text for patterns, from left to right. A long text is searched part by part, so that other work can run
 * between them; the matches are the same. A pattern can look at one character before a match. A match that the end of a
 * part can cut has at most two characters, or is a word after `#+` or `$`.
 */
export class TextSearch {
  readonly #text: string;
  readonly #partLength: number;
  #start = 0;
  #part = '';

  /** Tests set short parts. */
  constructor(text: string, partLength = PART_LENGTH) {
    this.#text = text;
    this.#partLength = partLength;
  }

  /** Finds the first match at or after `from`; null if there is no further match. */
  exec(pattern: RegExp, from: number): SearchResult {
    const text = this.#text;
    if (text.length <= this.#partLength) return this.#execWhole(pattern, from);
    if (from <= this.#start || from >= this.#start + this.#part.length) this.#moveTo(from);
    pattern.lastIndex = from - this.#start;
    const match = pattern.exec(this.#part);
    const isLast = this.#start + this.#part.length === text.length;
    if (match === null) return isLast ? null : this.#pause(pattern, from);
    const isCut = !isLast && match[1] === undefined && pattern.lastIndex === this.#part.length;
    match.index += this.#start;
    if (!isCut) return match;
    if (match.index <= from) return this.#execWhole(pattern, from);
    this.#moveTo(match.index);
    return this.exec(pattern, match.index);
  }

  /** Continues before a possibly cut match; searches the whole text if a match is longer than a part. */
  #pause(pattern: RegExp, from: number): SearchResult {
    const part = this.#part;
    const tag = part.lastIndexOf('$');
    const isTag = tag !== -1 && /^\w*$/.test(part.slice(tag + 1));
    const next = this.#start + Math.min(isTag ? tag : part.length, part.length - 2);
    if (next > from) return { next };
    if (this.#start >= from - 1) return this.#execWhole(pattern, from);
    this.#moveTo(from);
    return this.exec(pattern, from);
  }

  #execWhole(pattern: RegExp, at: number): RegExpExecArray | null {
    pattern.lastIndex = at;
    return pattern.exec(this.#text);
  }

  /** Reads the part that starts one character before `at`. */
  #moveTo(at: number): void {
    this.#start = Math.max(0, at - 1);
    this.#part = this.#text.slice(this.#start, this.#start + this.#partLength);
  }
}
