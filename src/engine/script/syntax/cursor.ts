import { elementAt } from '../../../invariants/must.ts';
import type { Span } from '../../text/span.ts';
import { type Rendered, toOriginalSpan } from '../params/params.ts';
import type { Identifier } from './ast.ts';
import { findToken, lexExpression, type Token } from './lex-expression.ts';
import { ScriptSyntaxError } from './syntax-error.ts';

/** Maximum height of an expression tree. */
const MAX_PRECEDENCE = 500;
/** Maximum nesting of expressions, conditions and loops. */
const MAX_DEPTH = 200;

/** A position in a script that advances token by token, with one token of lookahead. */
export class Cursor {
  readonly rendered: Rendered;
  readonly text: string;
  #at: number;
  #token: Token | null = null;
  #depth = 0;
  #height = 0;
  /** Whether the value of a parameter is one token. */
  #hasValues = false;
  /** Whether an empty value at this position is already read. */
  #isPastValue = false;
  /** The number of open `#+if` and `#+for` of the current body; after an error, those around it. */
  openParts = 0;
  /** Whether `--` and block comments are skipped between tokens. */
  comments: boolean;

  constructor(rendered: Rendered, comments: boolean) {
    this.rendered = rendered;
    this.text = rendered.text;
    this.comments = comments;
    this.#at = 0;
  }

  /** The end of the last token. */
  get at(): number {
    return this.#at;
  }

  /** The height of the last parsed expression. */
  get height(): number {
    return this.#height;
  }

  set height(height: number) {
    if (height > MAX_PRECEDENCE) {
      throw new ScriptSyntaxError(
        `this expression has more than ${MAX_PRECEDENCE} levels: split it`,
        this.peek(),
      );
    }
    this.#height = height;
  }

  moveTo(at: number): void {
    this.#at = at;
    this.#token = null;
    this.#isPastValue = false;
  }

  skipBlanks(): void {
    this.moveTo(findToken(this.rendered, this.#at, this.#mode).start);
  }

  peek(): Token {
    this.#token ??= lexExpression(this.rendered, this.#at, this.#mode);
    return this.#token;
  }

  next(): Token {
    const token = this.peek();
    this.moveTo(token.end);
    this.#isPastValue = token.kind === 'param' && token.start === token.end;
    return token;
  }

  /** Parses an expression, in which the value of a parameter is one token; in headers, it is text. */
  readValues<T>(parse: () => T): T {
    if (this.#hasValues || this.rendered.regions.count === 0) return parse();
    this.#hasValues = true;
    this.#token = null;
    try {
      const parsed = parse();
      if (this.peek().kind === 'param') throw this.unexpected('an operator or the end must follow the value');
      return parsed;
    } finally {
      this.#hasValues = false;
      this.#token = null;
    }
  }

  get #mode() {
    const { comments } = this;
    return { comments, hasValues: this.#hasValues, isPastValue: this.#isPastValue };
  }

  isSign(sign: string): boolean {
    const { kind, text } = this.peek();
    return kind === 'sign' && text === sign;
  }

  isWord(word: string): boolean {
    const { kind, text } = this.peek();
    return kind === 'name' && text === word;
  }

  isDirective(word: string): boolean {
    const { kind, text } = this.peek();
    return kind === 'directive' && text === word;
  }

  /** Consumes the sign if it is next. */
  eatSign(sign: string): boolean {
    const isNext = this.isSign(sign);
    if (isNext) this.next();
    return isNext;
  }

  eatWord(word: string): boolean {
    const isNext = this.isWord(word);
    if (isNext) this.next();
    return isNext;
  }

  /** Consumes a `:`, which can be directly before a name. */
  eatColon(): boolean {
    this.skipBlanks();
    const isNext = this.text.charAt(this.#at) === ':';
    if (isNext) this.moveTo(this.#at + 1);
    return isNext;
  }

  /** Consumes the sign. Throws a ScriptSyntaxError with the message `instead` and the token that was found. */
  expectSign(sign: string, instead: string): Token {
    if (!this.isSign(sign)) throw this.unexpected(instead);
    return this.next();
  }

  expectWord(word: string, instead: string): void {
    if (!this.eatWord(word)) throw this.unexpected(instead);
  }

  expectName(instead: string): Identifier {
    if (this.peek().kind !== 'name') throw this.unexpected(instead);
    const { text, start, end } = this.next();
    return { name: text, start, end };
  }

  /** An error at the next token: the message `expected`, the token that was found, and advice. */
  unexpected(expected: string, advice = ''): ScriptSyntaxError {
    const token = this.peek();
    const actual = token.kind === 'end' ? 'the script ends here' : `found \`${this.show(token)}\``;
    return new ScriptSyntaxError(`${expected}, but ${actual}${advice}`, token);
  }

  /** The first line of a span, at most 40 characters, as its author wrote it. */
  show(span: Span): string {
    const { start, end } = toOriginalSpan(this.rendered, span);
    const sourceText = this.rendered.source.text.slice(start, Math.min(end, start + 40));
    return elementAt(sourceText.split('\n', 1), 0);
  }

  /** Runs `work` one level deeper. Throws a ScriptSyntaxError if the script is nested too deeply. */
  nest<T>(work: () => T): T {
    if (this.#depth >= MAX_DEPTH) {
      throw new ScriptSyntaxError(`this is nested more than ${MAX_DEPTH} levels deep`, this.peek());
    }
    this.#depth += 1;
    try {
      return work();
    } finally {
      this.#depth -= 1;
    }
  }
}
