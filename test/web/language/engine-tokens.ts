import { readReference } from '../../../src/engine/script/params/param-names.ts';
import { type Rendered, substituteParams } from '../../../src/engine/script/params/params.ts';
import type { Body, Part } from '../../../src/engine/script/syntax/ast.ts';
import { findToken, lexExpression } from '../../../src/engine/script/syntax/lex-expression.ts';
import { parseScript } from '../../../src/engine/script/syntax/parse-script.ts';
import type { LexicalRules } from '../../../src/engine/text/lexical-rules.ts';
import { scanSql } from '../../../src/engine/text/sql-scanner.ts';

/** One letter for each character: what the engine takes it for. */
type Classes = readonly string[];

const LETTERS: Readonly<Record<string, string>> = {
  space: ' ',
  comment: 'c',
  string: 's',
  'dollar-quote': 'S',
  'quoted-name': 'q',
  number: '1',
  integer: '1',
  float: '1',
  parameter: '$',
  unset: '$',
  symbol: ':',
  word: 'w',
  name: 'w',
  directive: 'd',
  brace: 'b',
  sign: '.',
  punctuation: '.',
};

/** Classifies the characters of a valid script with the engine's parser and scanners. */
export function classify(text: string, lexicalRules: LexicalRules): Classes {
  return new Classifier(text, lexicalRules).classify();
}

class Classifier {
  readonly #text: string;
  readonly #lexicalRules: LexicalRules;
  readonly #rendered: Rendered;
  readonly #classes: string[];

  constructor(text: string, lexicalRules: LexicalRules) {
    this.#text = text;
    this.#lexicalRules = lexicalRules;
    this.#rendered = substituteParams({ name: 'x', text }, {});
    this.#classes = new Array<string>(text.length).fill(' ');
  }

  classify(): Classes {
    const { file, diagnostics } = parseScript(this.#rendered);
    if (diagnostics.length > 0) throw new Error(`a syntax error: ${diagnostics[0]!.message}`);
    const bodies = [...file.blocks, ...file.macros].map(({ body }) => body);
    bodies.sort((a, b) => a.start - b.start);
    let last = 0;
    for (const body of bodies) {
      this.#lex(last, body.start, true);
      last = body.end;
    }
    this.#lex(last, this.#text.length, true);
    for (const body of bodies) this.#scan(body);
    this.#markParameters();
    return this.#classes.map((letter, at) => (/\s/.test(this.#text[at]!) ? ' ' : letter.toLowerCase()));
  }

  #fill(start: number, end: number, letter: string | undefined): void {
    this.#classes.fill(letter ?? '?', start, end);
  }

  /** Classifies tokens of expressions; `words` are the ends of words that belong to a directive. */
  #lex(start: number, end: number, comments: boolean, words: readonly number[] = []): void {
    for (let at = start; at < end; ) {
      const { start: from } = findToken(this.#rendered, at, { comments: false });
      const { start: blank } = findToken(this.#rendered, at, { comments });
      if (blank > from) this.#fill(from, blank, 'c');
      const token = lexExpression(this.#rendered, at, { comments });
      if (token.kind === 'end' || token.start >= end) return;
      this.#fill(token.start, token.end, words.includes(token.end) ? 'd' : LETTERS[token.kind]);
      at = token.end;
    }
  }

  /** Classifies the SQL of a body, with letters in place of its expressions, and then these. */
  #scan(body: Body): void {
    const sql = this.#text.slice(body.start, body.end).split('');
    const inner = listInner(body, this.#text);
    for (const { start, end } of inner) sql.fill('x', start - body.start, end - body.start);
    for (const { kind, start, end } of scanSql(sql.join(''), this.#lexicalRules)) {
      this.#fill(body.start + start, body.start + end, LETTERS[kind]);
    }
    for (const { start, end, isInterpolation, words } of inner) {
      this.#fill(start, end, isInterpolation ? 'b' : ' ');
      if (isInterpolation) this.#fill(start + 2, end - 2, ' ');
      if (isInterpolation) this.#lex(start + 2, end - 2, false);
      else this.#lex(start, end, false, words);
    }
  }

  /** Parameters are replaced inside strings and quoted names as well. */
  #markParameters(): void {
    for (let at = 0; at < this.#text.length; at += 1) {
      const reference = 'sq'.includes(this.#classes[at]!) ? readReference(this.#text, at) : undefined;
      if (reference !== undefined) this.#fill(reference.start, reference.end, '$');
    }
  }
}

interface Inner {
  readonly start: number;
  readonly end: number;
  readonly isInterpolation: boolean;
  /** The ends of the words that belong to a directive, such as `then`. */
  readonly words: readonly number[];
}

/** The expressions of a body, and the heads and ends of its conditions and loops. */
function listInner({ parts }: Body, text: string): readonly Inner[] {
  return parts.flatMap((part): readonly Inner[] => {
    if (part.kind === 'interpolation')
      return [{ start: part.start, end: part.end, isInterpolation: true, words: [] }];
    if (part.kind !== 'if' && part.kind !== 'for') return [];
    const own = listBodies(part);
    const edges = [part.start, ...own.flatMap(({ start, end }) => [start, end]), part.end];
    const clauses = part.kind === 'for' ? Object.values(part.clauses) : [];
    const after = [...own, ...clauses].map(({ start }) => start);
    const words = after.map((start) => text.slice(0, start).trimEnd().length);
    const heads = Array.from({ length: edges.length / 2 }, (_, i) => {
      return { start: edges[2 * i]!, end: edges[2 * i + 1]!, isInterpolation: false, words };
    });
    return [...heads, ...own.flatMap((inner) => listInner(inner, text))];
  });
}

function listBodies(part: Extract<Part, { kind: 'if' | 'for' }>): readonly Body[] {
  if (part.kind === 'for') return [part.body];
  return [...part.branches.map(({ body }) => body), ...(part.otherwise === null ? [] : [part.otherwise])];
}
