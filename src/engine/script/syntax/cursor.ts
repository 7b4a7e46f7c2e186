import { elementAt } from '../../../invariants/must.ts';
import type { Span } from '../../text/span.ts';
import type { Rendered } from '../params/params.ts';
import type { Identifier } from './ast.ts';
import { lexExpression, skipBlanks, type Token } from './lex-expression.ts';
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
  }

  skipBlanks(): void {
    this.moveTo(skipBlanks(this.rendered, this.#at, this.comments));
  }

  peek(): Token {
    this.#token ??= lexExpression(this.rendered, this.#at, this.comments);
    return this.#token;
  }

  next(): Token {
    const token = this.peek();
    this.moveTo(token.end);
    return token;
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
    const found = this.isSign(sign);
    if (found) this.next();
    return found;
  }

  eatWord(word: string): boolean {
    const found = this.isWord(word);
    if (found) this.next();
    return found;
  }

  /** Consumes a `:`, which can be directly before a name. */
  eatColon(): boolean {
    this.skipBlanks();
    const found = this.text.charAt(this.#at) === ':';
    if (found) this.moveTo(this.#at + 1);
    return found;
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
    const found = token.kind === 'end' ? 'the script ends here' : `found ${this.#show(token)}`;
    return new ScriptSyntaxError(`${expected}, but ${found}${advice}`, token);
  }

  #show({ start, end }: Span): string {
    const text = elementAt(this.text.slice(start, Math.min(end, start + 40)).split('\n', 1), 0);
    return `\`${text}\``;
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
