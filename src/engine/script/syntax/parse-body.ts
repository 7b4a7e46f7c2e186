import { elementAt } from '../../../invariants/must.ts';
import { suggest } from '../../../text/suggest.ts';
import { finish, type Interruptible, isPause } from '../../text/interruptible.ts';
import type { Span } from '../../text/span.ts';
import { isReplaced, type Rendered } from '../params/params.ts';
import type { Body, Expression, ForClause, ForPart, IfPart, InterpolationPart, Part } from './ast.ts';
import type { Cursor } from './cursor.ts';
import { parseExpression } from './parse-expression.ts';
import { type BodyEvent, BodyScanner } from './scan-body.ts';
import { ScriptSyntaxError, UnmatchedDirectiveError } from './syntax-error.ts';

type Interruption = Exclude<BodyEvent, { kind: 'pause' }>;
type Directive = Extract<BodyEvent, { kind: 'directive' }>;

/** The end of a body: a directive that belongs to the opening one, or the end of the script. */
type Terminator = Directive | { readonly kind: 'end-of-text'; readonly start: number; readonly end: number };

interface Parsed {
  readonly body: Body;
  readonly terminator: Terminator;
}

const BRANCHES: ReadonlySet<string> = new Set(['elseif', 'else', 'end']);
const INSIDE_BODIES = ['if', 'elseif', 'else', 'for', 'end'];
const OUTSIDE_BODIES: ReadonlySet<string> = new Set([
  'import',
  'src',
  'test',
  'macro',
  'const',
  'meta',
  'begin',
]);
const CLAUSES: readonly ForClause[] = ['separator', 'before', 'after'];

/** Parses the body of the `#+begin` at `opened`, and moves the cursor after its `#+end`. */
export function* parseDeclaredBody(cursor: Cursor, opened: Span): Interruptible<Body> {
  const { body, terminator } = yield* new BodyParser(cursor, false).parse();
  if (terminator.kind === 'end-of-text') throw new ScriptSyntaxError('this `#+begin` has no `#+end`', opened);
  if (terminator.word !== 'end') throw withoutIf(terminator);
  cursor.moveTo(terminator.end);
  return body;
}

/** Parses text outside declared blocks, and moves the cursor to the next declaration. */
export function* parseAnonymousBody(cursor: Cursor): Interruptible<Body> {
  const { body, terminator } = yield* new BodyParser(cursor, true).parse();
  if (terminator.kind === 'directive' && BRANCHES.has(terminator.word)) {
    throw terminator.word === 'end'
      ? new UnmatchedDirectiveError('this `#+end` has no matching beginning', terminator)
      : withoutIf(terminator);
  }
  cursor.moveTo(terminator.start);
  return body;
}

function withoutIf(directive: Directive): ScriptSyntaxError {
  return new UnmatchedDirectiveError(`\`#+${directive.word}\` has no matching \`#+if\``, directive);
}

class BodyParser {
  readonly #cursor: Cursor;
  readonly #scanner: BodyScanner;
  /** Whether a declaration can follow, which ends the body. */
  readonly #anonymous: boolean;

  constructor(cursor: Cursor, anonymous: boolean) {
    cursor.openParts = 0;
    this.#cursor = cursor;
    this.#scanner = new BodyScanner(cursor.rendered);
    this.#anonymous = anonymous;
  }

  /** Body: (text | comment | Interpolation | If | For)*. */
  *parse(): Interruptible<Parsed> {
    const parts: Part[] = [];
    const { at: start } = this.#cursor;
    for (let textStart = start, at = start, passed = 1; ; passed += 1) {
      const event = this.#scanner.find(at);
      if (event.kind === 'pause' || isPause(passed)) yield;
      if (event.kind === 'pause') {
        at = event.start;
        continue;
      }
      if (event.kind === 'directive' && !this.#isOurs(event)) {
        checkMistyped(event);
        at = event.end;
        continue;
      }
      if (event.start > textStart) parts.push({ kind: 'text', start: textStart, end: event.start });
      if (isTerminator(event)) return { body: { parts, start, end: event.start }, terminator: event };
      parts.push(this.#parsePart(event));
      at = elementAt(parts, -1).end;
      textStart = at;
    }
  }

  #isOurs({ word, atLineStart }: Directive): boolean {
    if (word === 'if' || word === 'for' || BRANCHES.has(word)) return true;
    return this.#anonymous && this.#cursor.openParts === 0 && atLineStart;
  }

  #parsePart(event: Interruption): Part {
    if (event.kind === 'interpolation') return this.#parseInterpolation(event);
    if (event.kind !== 'directive') return { kind: 'comment', start: event.start, end: event.end };
    this.#cursor.openParts += 1;
    const part = this.#cursor.nest(() =>
      event.word === 'if' ? this.#parseIf(event) : this.#parseFor(event),
    );
    this.#cursor.openParts -= 1;
    return part;
  }

  /** Interpolation: `{{` Expression `}}`. */
  #parseInterpolation({ start, end: opened }: Span): InterpolationPart {
    const cursor = this.#cursor;
    cursor.moveTo(opened);
    const expression = parseExpression(cursor);
    cursor.skipBlanks();
    const { at, text, rendered } = cursor;
    if (!text.startsWith('}}', at) || isReplaced(rendered, at)) {
      this.#refuseEquals();
      // Nested lists and structs of a database, such as '{{1,2},{3,4}}'.
      const advice = [',', ':'].includes(text.charAt(at)) ? ': for two braces of SQL, write `{ {`' : '';
      throw cursor.unexpected('`}}` must close the expression', advice);
    }
    return { kind: 'interpolation', expression, start, end: at + 2 };
  }

  /** If: `#+if` Expression `then` Body (`#+elseif` Expression `then` Body)* (`#+else` Body)? `#+end`. */
  #parseIf(opened: Directive): IfPart {
    const branches: { condition: Expression; body: Body }[] = [];
    let head: Directive = opened;
    for (;;) {
      this.#cursor.moveTo(head.end);
      const condition = this.#parseCondition();
      const { body, terminator } = this.#parseInner(opened);
      branches.push({ condition, body });
      if (terminator.word === 'end') return toIf(opened, branches, null, terminator);
      if (terminator.word === 'else') return this.#parseElse(opened, branches, terminator);
      head = terminator;
    }
  }

  #parseCondition(): Expression {
    const cursor = this.#cursor;
    cursor.skipBlanks();
    const { at, text } = cursor;
    if (text.startsWith('{{', at)) {
      throw new ScriptSyntaxError('write the condition as an expression without `{{`', {
        start: at,
        end: at + 2,
      });
    }
    const condition = parseExpression(cursor);
    this.#refuseEquals();
    cursor.expectWord('then', '`then` must follow the condition');
    return condition;
  }

  #refuseEquals(): void {
    if (this.#cursor.isSign('='))
      throw new ScriptSyntaxError('use `==` for a comparison', this.#cursor.peek());
  }

  #parseElse(opened: Directive, branches: IfPart['branches'], head: Directive): IfPart {
    if (!head.isQuoted) this.#checkElse(head);
    this.#cursor.moveTo(head.end);
    const { body, terminator } = this.#parseInner(opened);
    if (terminator.word === 'end') return toIf(opened, branches, body, terminator);
    throw new ScriptSyntaxError(`\`#+${terminator.word}\` cannot follow \`#+else\``, terminator);
  }

  /** Rejects `#+else if … then`; a function (`if(a, 2, 3)`) and IF … END IF of SQL are text. */
  #checkElse({ start, end }: Directive): void {
    const cursor = this.#cursor;
    cursor.moveTo(end);
    try {
      if (!cursor.eatWord('if')) return;
      cursor.nest(() => parseExpression(cursor));
      if (!cursor.isWord('then')) return;
    } catch (error) {
      if (error instanceof ScriptSyntaxError) return;
      throw error;
    }
    const text = elementAt(cursor.text.slice(cursor.at).split('#+', 1), 0);
    if (/\bend\s+if\b/i.test(text)) return;
    const message = '`#+else if … then` is not a directive, did you mean `#+elseif`?';
    throw new ScriptSyntaxError(message, { start, end: cursor.at });
  }

  /** For: `#+for` name `:` Expression (`separator` | `before` | `after` Expression)* `do` Body `#+end`. */
  #parseFor(opened: Directive): ForPart {
    const cursor = this.#cursor;
    cursor.moveTo(opened.end);
    const variable = cursor.expectName('a name must follow `#+for`');
    if (!cursor.eatColon()) throw cursor.unexpected('`:` must follow the name');
    const list = parseExpression(cursor);
    const clauses: Partial<Record<ForClause, Expression>> = {};
    for (let clause = this.#findClause(); clause !== undefined; clause = this.#findClause()) {
      const word = cursor.next();
      if (clauses[clause]) throw new ScriptSyntaxError(`\`${clause}\` is given twice`, word);
      clauses[clause] = parseExpression(cursor);
    }
    cursor.expectWord('do', '`do` must follow the list');
    const { body, terminator } = this.#parseInner(opened);
    if (terminator.word !== 'end') throw withoutIf(terminator);
    return { kind: 'for', variable, list, clauses, body, start: opened.start, end: terminator.end };
  }

  #findClause(): ForClause | undefined {
    return CLAUSES.find((clause) => this.#cursor.isWord(clause));
  }

  #parseInner(opened: Directive): Parsed & { readonly terminator: Directive } {
    const { body, terminator } = finish(this.parse());
    if (terminator.kind === 'directive') return { body, terminator };
    throw new ScriptSyntaxError(`this \`#+${opened.word}\` has no \`#+end\``, opened);
  }
}

/**
 * Rejects a word that is similar to a directive of bodies, because it is probably mistyped. Directives outside bodies
 * are text here.
 */
function checkMistyped({ word, isQuoted, start, end }: Directive): void {
  if (isQuoted || OUTSIDE_BODIES.has(word)) return;
  const near = suggest(word, INSIDE_BODIES);
  if (near === undefined) return;
  throw new ScriptSyntaxError(`\`#+${word}\` is not a directive, did you mean \`#+${near}\`?`, {
    start,
    end,
  });
}

function toIf({ start }: Span, branches: IfPart['branches'], otherwise: Body | null, { end }: Span): IfPart {
  return { kind: 'if', branches, otherwise, start, end };
}

function isTerminator(event: Interruption): event is Terminator {
  if (event.kind === 'end-of-text') return true;
  return event.kind === 'directive' && event.word !== 'if' && event.word !== 'for';
}

/** The end of the body whose `#+begin` ends at `from`, even with syntax errors; null if it has no end. */
export function findBodyEnd(rendered: Rendered, from: number): number | null {
  const scanner = new BodyScanner(rendered);
  let depth = 0;
  for (let at = from; ; ) {
    const event = scanner.find(at);
    if (event.kind === 'end-of-text') return null;
    at = event.kind === 'interpolation' ? findInterpolationEnd(rendered.text, event.end) : event.end;
    if (event.kind !== 'directive') continue;
    if (event.word === 'if' || event.word === 'for') depth += 1;
    if (event.word !== 'end') continue;
    if (depth === 0) return event.end;
    depth -= 1;
  }
}

/** The offset after the next `}}` on the same line, or the end of the line. */
export function findInterpolationEnd(text: string, from: number): number {
  const line = text.indexOf('\n', from);
  const end = line === -1 ? text.length : line;
  const close = text.indexOf('}}', from);
  return close === -1 || close > end ? end : close + 2;
}
