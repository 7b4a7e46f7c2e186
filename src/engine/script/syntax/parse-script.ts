import { elementAt, notNull } from '../../../invariants/must.ts';
import { suggest } from '../../../text/suggest.ts';
import { createDiagnostic, type Diagnostic } from '../../text/diagnostic.ts';
import { finish, type Interruptible } from '../../text/interruptible.ts';
import type { Span } from '../../text/span.ts';
import { type Rendered, toOriginalSpan } from '../params/params.ts';
import type {
  BlockDeclaration,
  Body,
  ConstantDeclaration,
  ImportDeclaration,
  MacroDeclaration,
  MapExpression,
  Parameter,
  ScriptFile,
} from './ast.ts';
import { Cursor } from './cursor.ts';
import { prepareEnclosures } from './enclosures.ts';
import { hasStatementInLongText } from './has-statement.ts';
import { findBodyEnd, findInterpolationEnd, parseAnonymousBody, parseDeclaredBody } from './parse-body.ts';
import { parseExpression, parseMap } from './parse-expression.ts';
import { ScriptSyntaxError, UnmatchedDirectiveError } from './syntax-error.ts';

/** A script and its errors; with errors, it contains only the valid declarations. */
export interface ParsedScript {
  readonly file: ScriptFile;
  readonly diagnostics: readonly Diagnostic[];
}

const DECLARATION = /^[^\S\n\r\u2028\u2029]*#\+(?:import|src|test|macro|const)\b/gm;
const BEGIN = /#\+begin\b/g;
/** Words of directives, for suggestions. */
const DIRECTIVES = ['import', 'src', 'test', 'macro', 'const', 'meta', 'begin', 'end', 'if', 'for'] as const;
/** Directives that start a declaration with a body. */
const WITH_BODY: ReadonlySet<string> = new Set(['src', 'test', 'macro']);
const LANGUAGE = 'sql';
/** Characters of plain text after which other work can run. */
const LONG_TEXT = 1024 ** 2;
/** Errors in one file after which parsing stops. */
const MAX_ERRORS = 20;

/**
 * Parses one script (docs/reference/language.md#files-and-packages, docs/reference/expressions.md); after an error,
 * parsing continues at the next declaration.
 */
export function parseScript(rendered: Rendered): ParsedScript {
  return finish(parseLongScript(rendered));
}

/** As `parseScript`, but interruptible between declarations. */
export function parseLongScript(rendered: Rendered): Interruptible<ParsedScript> {
  return new ScriptParser(rendered).parse();
}

class ScriptParser {
  readonly #rendered: Rendered;
  readonly #cursor: Cursor;
  readonly #imports: ImportDeclaration[] = [];
  readonly #blocks: BlockDeclaration[] = [];
  readonly #macros: MacroDeclaration[] = [];
  readonly #constants: ConstantDeclaration[] = [];
  readonly #errors: ScriptSyntaxError[] = [];
  /** The number of expected `#+end` whose beginnings had errors. */
  #strayEnds = 0;
  /** The current declaration; null in plain text. */
  #declared: { readonly word: string; readonly start: number } | null = null;

  constructor(rendered: Rendered) {
    this.#rendered = rendered;
    this.#cursor = new Cursor(rendered, true);
  }

  *parse(): Interruptible<ParsedScript> {
    yield* prepareEnclosures(this.#rendered);
    while (this.#cursor.at < this.#rendered.text.length && this.#errors.length < MAX_ERRORS) {
      yield;
      try {
        const body = yield* this.#parseText();
        if (body.end - body.start > LONG_TEXT) yield;
        yield* this.#keepText(body);
        if (this.#cursor.at < this.#rendered.text.length) yield* this.#parseDeclaration();
      } catch (error) {
        if (!(error instanceof ScriptSyntaxError)) throw error;
        if (!this.#isExplained(error)) this.#errors.push(error);
        this.#recover(error);
      }
    }
    return { file: this.#toFile(), diagnostics: this.#errors.map((error) => this.#toDiagnostic(error)) };
  }

  #toFile(): ScriptFile {
    return {
      kind: 'file',
      rendered: this.#rendered,
      imports: this.#imports,
      blocks: this.#blocks,
      macros: this.#macros,
      constants: this.#constants,
    };
  }

  #toDiagnostic({ message, span }: ScriptSyntaxError): Diagnostic {
    return createDiagnostic(this.#rendered.source, toOriginalSpan(this.#rendered, span), message, 'syntax');
  }

  /** Whether an earlier error explains an unmatched directive. */
  #isExplained(error: ScriptSyntaxError): boolean {
    const isExplained = error instanceof UnmatchedDirectiveError && this.#strayEnds > 0;
    if (isExplained && this.#rendered.text.startsWith('#+end', error.span.start)) this.#strayEnds -= 1;
    return isExplained;
  }

  /**
   * Continues after an error: in plain text, after the expression; else after the body of the declaration or, if the
   * body has no end, at the next declaration.
   */
  #recover({ span }: ScriptSyntaxError): void {
    const cursor = this.#cursor;
    const { text } = this.#rendered;
    cursor.comments = true;
    if (this.#declared === null) {
      this.#strayEnds += cursor.openParts;
      cursor.moveTo(Math.max(span.end, findInterpolationEnd(text, span.start)));
      return;
    }
    this.#strayEnds = 1;
    const end = this.#findDeclarationEnd(this.#declared, span);
    DECLARATION.lastIndex = span.start + 1;
    cursor.moveTo(end ?? DECLARATION.exec(text)?.index ?? text.length);
    if (end !== null) this.#eatSemicolon();
  }

  /** The end of a declaration with an error; null if it is unknown. */
  #findDeclarationEnd({ word, start }: { word: string; start: number }, error: Span): number | null {
    const { text } = this.#rendered;
    if (word === 'const') {
      const end = text.indexOf('#+end', error.start);
      return end === -1 ? null : end + '#+end'.length;
    }
    const begin = this.#findBegin(start);
    if (begin !== null) return findBodyEnd(this.#rendered, begin);
    const line = text.indexOf('\n', error.end);
    const isLine = !WITH_BODY.has(word);
    if (!isLine) return null;
    return line === -1 ? text.length : line;
  }

  /** The offset after the `#+begin` of a declaration; null if another declaration comes first. */
  #findBegin(start: number): number | null {
    const { text } = this.#rendered;
    BEGIN.lastIndex = start;
    const begin = BEGIN.exec(text);
    DECLARATION.lastIndex = start + 1;
    const next = DECLARATION.exec(text)?.index ?? text.length;
    return begin === null || begin.index > next ? null : begin.index + begin[0].length;
  }

  /** Script: (Import | Block | Test | Macro | Constants | anonymous text)*. */
  *#parseText(): Interruptible<Body> {
    const cursor = this.#cursor;
    this.#declared = null;
    cursor.comments = false;
    const body = yield* parseAnonymousBody(cursor);
    cursor.comments = true;
    return body;
  }

  *#keepText(body: Body): Interruptible<void> {
    if (!(yield* hasStatementInLongText(body, this.#rendered.text))) return;
    const { start, end } = trim(body, this.#rendered.text);
    const nothing = { name: null, params: [], returns: null, meta: null } as const;
    this.#blocks.push({ kind: 'anonymous', ...nothing, body, start, end });
  }

  *#parseDeclaration(): Interruptible<void> {
    const { text: word, start, end } = this.#cursor.next();
    this.#declared = { word, start };
    switch (word) {
      case 'import':
        return this.#parseImport(start);
      case 'src':
        return yield* this.#parseBlock('block', start);
      case 'test':
        return yield* this.#parseBlock('test', start);
      case 'macro':
        return yield* this.#parseMacro(start);
      case 'const':
        return this.#parseConstants(start);
    }
    throw this.#unknownDirective(word, { start, end });
  }

  #unknownDirective(word: string, span: Span): ScriptSyntaxError {
    if (word === 'meta' || word === 'begin') {
      return new ScriptSyntaxError(
        `\`#+${word}\` has no matching \`#+src\`, \`#+test\` or \`#+macro\``,
        span,
      );
    }
    const near = suggest(word, DIRECTIVES);
    const hint = near === undefined ? '' : `, did you mean \`#+${near}\`?`;
    return new ScriptSyntaxError(`unknown directive \`#+${word}\`${hint}`, span);
  }

  /** Import: `#+import` string (`as` name)?. */
  #parseImport(start: number): void {
    const cursor = this.#cursor;
    if (cursor.peek().kind !== 'string') throw cursor.unexpected('a path in quotes must follow `#+import`');
    const path = cursor.next();
    const alias = cursor.eatWord('as') ? cursor.expectName('a name must follow `as`') : null;
    const end = alias?.end ?? path.end;
    this.#imports.push({ kind: 'import', path: path.text, pathSpan: path, alias, start, end });
    this.#endImport();
  }

  /** Only a comment can follow an import on its line. */
  #endImport(): void {
    const cursor = this.#cursor;
    this.#eatSemicolon();
    const [blanks = '', word] =
      /^[ \t]*([^\s/-]\S*)/.exec(cursor.text.slice(cursor.at, cursor.at + 200)) ?? [];
    if (word === undefined) return;
    const end = cursor.at + blanks.length;
    throw new ScriptSyntaxError('only a comment can follow an import on its line', {
      start: end - word.length,
      end,
    });
  }

  #eatSemicolon(): void {
    const match = /^[ \t]*;/.exec(this.#cursor.text.slice(this.#cursor.at, this.#cursor.at + 200));
    if (match !== null) this.#cursor.moveTo(this.#cursor.at + match[0].length);
  }

  /** Block: `#+src` language (name Parameters?)? (`:` type)? Meta? BeginEnd; a test has no type and no parameters. */
  *#parseBlock(kind: 'block' | 'test', start: number): Interruptible<void> {
    const cursor = this.#cursor;
    this.#parseLanguage();
    const name = cursor.peek().kind === 'name' ? cursor.expectName('') : null;
    if (name === null && kind === 'test') throw cursor.unexpected('a test needs a name');
    const params = name === null ? [] : this.#parseParameters();
    if (kind === 'test' && params.length > 0)
      throw new ScriptSyntaxError('a test has no parameters', elementAt(params, 0));
    const typed = kind === 'block' && cursor.eatColon();
    const returns = typed ? cursor.expectName('a return type must follow `:`') : null;
    const meta = this.#parseMeta();
    const body = yield* this.#parseBeginEnd();
    const block = { kind: name === null ? 'anonymous' : kind, name, params, returns, meta, body } as const;
    this.#blocks.push({ ...block, start, end: cursor.at });
  }

  #parseLanguage(): void {
    const { text, kind, start, end } = this.#cursor.peek();
    if (kind !== 'name') throw this.#cursor.unexpected(`the language must follow: \`${LANGUAGE}\``);
    if (text !== LANGUAGE) {
      throw new ScriptSyntaxError(`the language \`${text}\` is not supported: use \`${LANGUAGE}\``, {
        start,
        end,
      });
    }
    this.#cursor.next();
  }

  /** Parameters: `(` (name (`=` Expression)?), separated by commas, `)`, or nothing. */
  #parseParameters(): readonly Parameter[] {
    const cursor = this.#cursor;
    const params: Parameter[] = [];
    const names = new Set<string>();
    if (!cursor.eatSign('(')) return params;
    while (!cursor.isSign(')')) {
      const name = cursor.expectName('a parameter must be a name');
      if (names.has(name.name))
        throw new ScriptSyntaxError(`the parameter \`${name.name}\` is declared twice`, name);
      names.add(name.name);
      params.push({ ...name, default: cursor.eatSign('=') ? parseExpression(cursor) : null });
      if (!cursor.eatSign(',') && !cursor.isSign(')')) {
        throw cursor.unexpected('a comma or `)` must follow a parameter');
      }
    }
    cursor.next();
    return params;
  }

  #parseMeta(): MapExpression | null {
    if (!this.#cursor.isDirective('meta')) return null;
    this.#cursor.next();
    return parseMap(this.#cursor);
  }

  /** BeginEnd: `#+begin` Body `#+end` `;`?. */
  *#parseBeginEnd(): Interruptible<Body> {
    const cursor = this.#cursor;
    if (!cursor.isDirective('begin')) throw cursor.unexpected('`#+begin` must follow');
    const opened = cursor.next();
    cursor.comments = false;
    const body = yield* parseDeclaredBody(cursor, opened);
    cursor.comments = true;
    this.#eatSemicolon();
    return body;
  }

  /** Macro: `#+macro` name Parameters BeginEnd. */
  *#parseMacro(start: number): Interruptible<void> {
    const name = this.#cursor.expectName('a macro needs a name');
    const params = this.#parseParameters();
    const body = yield* this.#parseBeginEnd();
    this.#macros.push({ kind: 'macro', name, params, body, start, end: this.#cursor.at });
  }

  /** Constants: `#+const` (name `=` Expression `;`)* `#+end` `;`?. */
  #parseConstants(opened: number): void {
    const cursor = this.#cursor;
    while (!cursor.isDirective('end')) {
      if (cursor.peek().kind === 'end') {
        throw new ScriptSyntaxError('this `#+const` has no `#+end`', {
          start: opened,
          end: opened + '#+const'.length,
        });
      }
      const name = cursor.expectName('a constant or `#+end` must follow');
      cursor.expectSign('=', '`=` must follow the name of the constant');
      const value = parseExpression(cursor);
      this.#constants.push({ kind: 'constant', name, value, start: name.start, end: value.end });
      if (!cursor.eatSign(';') && !cursor.isDirective('end')) {
        throw cursor.unexpected('`;` must follow the constant');
      }
    }
    cursor.next();
    this.#eatSemicolon();
  }
}

function trim({ start, end }: Span, text: string): Span {
  const content = text.slice(start, end);
  const before = notNull(/^[\s\ufeff]*/.exec(content))[0].length;
  return { start: start + before, end: end - content.length + content.trimEnd().length };
}
