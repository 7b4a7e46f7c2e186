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

/** Makes the error of a text at a position (1-based). */
type CreateError = (position: number, detail: string) => ScimError;

/** Reads the tokens of a filter, or of a path with one, from left to right. Methods throw the error of the position. */
export class FilterScanner {
  readonly #text: string;
  readonly #createError: CreateError;
  #at = 0;

  constructor(text: string, createError: CreateError) {
    this.#text = text;
    this.#createError = createError;
    if (text.length > MAX_LENGTH) throw this.createError(`longer than ${MAX_LENGTH} characters`);
    this.#match(SPACE);
  }

  /** Makes an error at the current position. */
  createError(detail: string): ScimError {
    return this.#createError(this.#at + 1, detail);
  }

  /** Consumes one character if it is next. */
  take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    this.#match(SPACE);
    return true;
  }

  expect(character: string): void {
    if (!this.take(character)) throw this.createError(`expected "${character}"`);
  }

  end(): void {
    if (this.#at < this.#text.length) throw this.createError('expected the end');
  }

  /** Consumes one word, in any case, if it is next. */
  takeWord(word: string): boolean {
    const start = this.#at;
    if (this.#match(WORD)?.toLowerCase() === word) {
      this.#match(SPACE);
      return true;
    }
    this.#at = start;
    return false;
  }

  /** Consumes one of these words, which are in lower case. */
  operator(words: readonly string[]): string {
    const word = words.find((candidate) => this.takeWord(candidate));
    if (word === undefined) throw this.createError('expected an operator');
    return word;
  }

  path(): string {
    const path = this.#match(PATH);
    if (path === undefined) throw this.createError('expected an attribute');
    this.#match(SPACE);
    return path;
  }

  /** Consumes a JSON value; `true`, `false` and `null` may be in any case. */
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
      throw this.createError('expected a JSON string');
    }
  }

  #literal(): number | boolean | null {
    const number = this.#match(NUMBER);
    if (number !== undefined) return Number(number);
    for (const [word, value] of LITERALS) if (this.takeWord(word)) return value;
    throw this.createError('expected a value');
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text)?.[0];
    this.#at += match?.length ?? 0;
    return match;
  }
}
