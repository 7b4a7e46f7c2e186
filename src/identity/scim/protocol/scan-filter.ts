import type { ScimError } from '../../../errors/scim-error.ts';

const MAX_LENGTH = 10_000;

const SPACE = /[ \t\r\n]*/y;
const WORD = /[A-Za-z]+(?![\w$:.-])/y;
const PATH = /(?:urn:[\w.~%:+-]*:)?[A-Za-z$][\w$-]*(?:\.[A-Za-z$][\w$-]*)*/iy;
const TEXT = /"(?:[^"\\]|\\.)*"/sy;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?(?![\w$:.-])/iy;

const LITERALS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** The refusal of a text at a place (1-based). */
type Refuse = (place: number, fault: string) => ScimError;

/** Reads the tokens of a filter, or of a path with one, from left to right. Everything throws `refuse` with the place. */
export class FilterScanner {
  readonly #text: string;
  readonly #refuse: Refuse;
  #at = 0;

  constructor(text: string, refuse: Refuse) {
    this.#text = text;
    this.#refuse = refuse;
    if (text.length > MAX_LENGTH) throw this.fault(`longer than ${MAX_LENGTH} characters`);
    this.#match(SPACE);
  }

  /** The refusal of what stands here. */
  fault(what: string): ScimError {
    return this.#refuse(this.#at + 1, what);
  }

  /** Takes one character if it is next. */
  take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    this.#match(SPACE);
    return true;
  }

  expect(character: string): void {
    if (!this.take(character)) throw this.fault(`expected "${character}"`);
  }

  end(): void {
    if (this.#at < this.#text.length) throw this.fault('expected the end');
  }

  /** Takes one word, in any case, if it is next. */
  takeWord(word: string): boolean {
    const start = this.#at;
    if (this.#match(WORD)?.toLowerCase() === word) {
      this.#match(SPACE);
      return true;
    }
    this.#at = start;
    return false;
  }

  /** One of some words, in lower case. */
  operator(words: readonly string[]): string {
    const word = words.find((candidate) => this.takeWord(candidate));
    if (word === undefined) throw this.fault('expected an operator');
    return word;
  }

  path(): string {
    const path = this.#match(PATH);
    if (path === undefined) throw this.fault('expected an attribute');
    this.#match(SPACE);
    return path;
  }

  /** A value as in JSON, words in any case. */
  value(): string | number | boolean | null {
    const value = this.#text[this.#at] === '"' ? this.#string() : this.#literal();
    this.#match(SPACE);
    return value;
  }

  #string(): string {
    const start = this.#at;
    const literal = this.#match(TEXT);
    try {
      return JSON.parse(literal ?? '');
    } catch {
      this.#at = start;
      throw this.fault('expected text as in JSON');
    }
  }

  #literal(): number | boolean | null {
    const number = this.#match(NUMBER);
    if (number !== undefined) return Number(number);
    for (const [word, value] of LITERALS) if (this.takeWord(word)) return value;
    throw this.fault('expected a value');
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }
}
