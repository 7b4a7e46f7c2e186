import { elementAt } from '../../../invariants/must.ts';
import type { Span } from '../../text/span.ts';
import type { Rendered } from '../params/params.ts';
import type { Identifier } from './ast.ts';
import { lexExpression, skipBlanks, type Token } from './lex-expression.ts';
import { SyntaxFault } from './syntax-fault.ts';

/** How many levels an expression may have from its values up to its last operation. */
const MAX_PRECEDENCE = 500;
/** How deeply expressions, conditions and loops may be nested in one another. */
const MAX_DEPTH = 200;

/** A place in a script that moves on token by token, with one token of lookahead. */
export class Cursor {
  readonly rendered: Rendered;
  readonly text: string;
  #at: number;
  #token: Token | null = null;
  #depth = 0;
  #height = 0;
  /** How many `#+if` and `#+for` of the body of now are open; after a fault, those around it. */
  openParts = 0;
  /** Whether `--` and block comments are skipped between tokens. */
  comments: boolean;

  constructor(rendered: Rendered, comments: boolean) {
    this.rendered = rendered;
    this.text = rendered.text;
    this.comments = comments;
    this.#at = 0;
  }

  /** Behind the last token taken. */
  get at(): number {
    return this.#at;
  }

  /** How many levels the expression has that was parsed last. */
  get height(): number {
    return this.#height;
  }

  set height(height: number) {
    if (height > MAX_PRECEDENCE) {
      throw new SyntaxFault(`this expression has more than ${MAX_PRECEDENCE} levels: split it`, this.peek());
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

  /** Takes the sign if it is next. */
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

  /** Takes a `:`, which may stand right before a name. */
  eatColon(): boolean {
    this.skipBlanks();
    const found = this.text.charAt(this.#at) === ':';
    if (found) this.moveTo(this.#at + 1);
    return found;
  }

  /** Throws a SyntaxFault that says what stands there `instead` of it. */
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

  /** A fault at the next token: `expected`, and what is there. */
  unexpected(expected: string): SyntaxFault {
    const token = this.peek();
    const found = token.kind === 'end' ? 'the text ends here' : `found ${this.#show(token)}`;
    return new SyntaxFault(`${expected}, but ${found}`, token);
  }

  #show({ start, end }: Span): string {
    const text = elementAt(this.text.slice(start, Math.min(end, start + 40)).split('\n', 1), 0);
    return `\`${text}\``;
  }

  /** Does `work` one level deeper. Throws a SyntaxFault where the text is nested too deeply. */
  nest<T>(work: () => T): T {
    if (this.#depth >= MAX_DEPTH) {
      throw new SyntaxFault(`this is nested more than ${MAX_DEPTH} levels deep`, this.peek());
    }
    this.#depth += 1;
    try {
      return work();
    } finally {
      this.#depth -= 1;
    }
  }
}
