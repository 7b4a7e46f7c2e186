import { postgresqlRules } from '../../engine/text/lexical-rules.ts';
import type { Span } from '../../engine/text/span.ts';
import { type SqlToken, scanSql } from '../../engine/text/sql-scanner.ts';
import { LIMITS, SemanticSqlError, syntaxTexts } from './semantic-sql-error.ts';

const UNTERMINATED: Readonly<Partial<Record<SqlToken['kind'], string>>> = {
  comment: 'a comment',
  string: 'a string',
  'quoted-name': 'a quoted name',
  'dollar-quote': 'a dollar-quoted string',
};

/** Unicode spaces that look like a plain space. */
const STRANGE_SPACE = /[\u00a0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u2060\u3000\ufeff]/;

/**
 * Splits text into statements in linear time. Refuses text that would crash the parser or that it would silently
 * misread (docs/reference/semantic-sql.md#from-text-to-sql). Throws a SemanticSqlError.
 */
export function scanStatements(text: string): readonly ScannedStatement[] {
  checkText(text);
  const statements: ScannedStatement[] = [];
  let tokens: StatementToken[] = [];
  const count = new TokenCounter();
  let meter = new DepthMeter();
  const end = () => {
    const [first, last] = [tokens[0], tokens.at(-1)];
    if (first !== undefined && last !== undefined) {
      statements.push({ start: first.start, end: last.end, tokens });
    }
    tokens = [];
    meter = new DepthMeter();
  };
  for (const scanned of scanSql(text, postgresqlRules)) {
    const token = readToken(text, scanned);
    if (token === null) continue;
    if (token.word === ';') {
      end();
      continue;
    }
    checkWord(text, token, tokens.at(-1));
    count.add(token, tokens.at(-1));
    meter.add(token);
    tokens.push(token);
  }
  end();
  return statements;
}

function checkText(text: string): void {
  const nul = text.indexOf('\0');
  if (nul !== -1) throw new SemanticSqlError({ start: nul, end: nul + 1 }, syntaxTexts.nul());
  if (Buffer.byteLength(text) > LIMITS.bytes) {
    throw new SemanticSqlError({ start: 0, end: 0 }, syntaxTexts.tooLong());
  }
  if (text.isWellFormed()) return;
  const at = text.search(/\p{Cs}/u);
  throw new SemanticSqlError({ start: at, end: at + 1 }, syntaxTexts.surrogate());
}

/** Null for whitespace and comments. */
function readToken(text: string, { kind, start, end, terminated }: SqlToken): StatementToken | null {
  const what = UNTERMINATED[kind];
  if (!terminated && what !== undefined) {
    throw new SemanticSqlError({ start, end: start + 1 }, syntaxTexts.unterminated(what));
  }
  if (kind === 'space' || kind === 'comment') return null;
  if (kind === 'punctuation') return { kind, start, end, word: text.slice(start, end) };
  return { kind, start, end, word: kind === 'word' ? text.slice(start, end).toLowerCase() : '' };
}

function checkWord(text: string, token: StatementToken, before: StatementToken | undefined): void {
  const { kind, start, end } = token;
  if (kind === 'parameter') throw new SemanticSqlError(token, syntaxTexts.parameter(text.slice(start, end)));
  if (kind === 'word') {
    const at = text.slice(start, end).search(STRANGE_SPACE);
    if (at === -1) return;
    const code = `U+${text
      .charCodeAt(start + at)
      .toString(16)
      .toUpperCase()
      .padStart(4, '0')}`;
    throw new SemanticSqlError({ start: start + at, end: start + at + 1 }, syntaxTexts.space(code));
  }
  const isEscape = token.word === '&' && before?.word === 'u' && before.end === start;
  if (isEscape && /["']/.test(text.charAt(end))) {
    throw new SemanticSqlError({ start: before.start, end }, syntaxTexts.unicodeEscape());
  }
}

const PLAIN_KINDS: ReadonlySet<string> = new Set(['number', 'string']);
const PLAIN_WORDS: ReadonlySet<string> = new Set([
  ',',
  '-',
  '+',
  'null',
  'true',
  'false',
  'date',
  'timestamp',
]);

/** Counts tokens, except those of IN lists that contain only values. */
class TokenCounter {
  #counted = 0;
  /** The tokens of the current IN list; null outside an IN list. */
  #list: number | null = null;

  add(token: StatementToken, before: StatementToken | undefined): void {
    if (this.#list !== null) {
      if (PLAIN_KINDS.has(token.kind) || PLAIN_WORDS.has(token.word)) {
        this.#list += 1;
        return;
      }
      this.#counted += token.word === ')' ? 0 : this.#list;
      this.#list = null;
    }
    this.#counted += 1;
    if (this.#counted > LIMITS.tokens) throw new SemanticSqlError(token, syntaxTexts.tooManyTokens());
    if (token.word === '(' && before?.word === 'in') this.#list = 0;
  }
}

/** The content of one pair of parentheses or brackets, or of one CASE. */
interface Level {
  /** The number of operators since the last comma or clause. */
  operators: number;
  /** The depth between the operators. */
  inner: number;
  /** Joins and set operations, which clauses do not reset. */
  combined: number;
  /** The depth of the deepest part before the last comma or clause. */
  deepest: number;
}

const OPENING: ReadonlySet<string> = new Set(['(', '[', 'case']);
const CLOSING: ReadonlySet<string> = new Set([')', ']', 'end']);
/** Words that end a chain of operators. */
const CLAUSES: ReadonlySet<string> = new Set(
  ', select from where group having order limit offset window when then else on values'.split(' '),
);
const COMBINING: ReadonlySet<string> = new Set(['join', 'union', 'intersect', 'except']);
/** Operators that are words; one word of each multi-word operator. */
const OPERATOR_WORDS: ReadonlySet<string> = new Set(
  'and or not is isnull notnull in like ilike similar between collate at over filter operator'.split(' '),
);
const OPERATOR_SIGNS = /^[-+*/<>=~!@#%^&|`?:[]$/;

/**
 * Measures the depth of the parser's tree, because the parser recurses: each level and each operator of a chain is one
 * step. Throws a SemanticSqlError above the limits.
 */
class DepthMeter {
  readonly #open: Level[] = [createLevel()];

  add(token: StatementToken): void {
    const { word } = token;
    const level = this.#open.at(-1) ?? createLevel();
    if (OPERATOR_SIGNS.test(word) || OPERATOR_WORDS.has(word)) level.operators += 1;
    if (COMBINING.has(word)) level.combined += 1;
    if (CLAUSES.has(word)) endPart(level);
    if (CLOSING.has(word) && this.#open.length > 1) this.#close(level);
    if (OPENING.has(word)) this.#open.push(createLevel());
    this.#check(token);
  }

  #close(level: Level): void {
    this.#open.pop();
    const outer = this.#open.at(-1);
    if (outer !== undefined) outer.inner = Math.max(outer.inner, measure(level) + 1);
  }

  #check(token: StatementToken): void {
    if (this.#open.length - 1 > LIMITS.nesting) throw new SemanticSqlError(token, syntaxTexts.nesting());
    const level = this.#open.at(-1) ?? createLevel();
    if (level.operators > LIMITS.chain || level.combined > LIMITS.chain) {
      throw new SemanticSqlError(token, syntaxTexts.chain());
    }
    if (measure(level) > LIMITS.depth) throw new SemanticSqlError(token, syntaxTexts.depth());
  }
}

function createLevel(): Level {
  return { operators: 0, inner: 0, combined: 0, deepest: 0 };
}

function endPart(level: Level): void {
  level.deepest = Math.max(level.deepest, level.operators + level.inner);
  level.operators = 0;
  level.inner = 0;
}

function measure({ operators, inner, combined, deepest }: Level): number {
  return Math.max(deepest, operators + inner) + combined;
}

/** A word or a sign; `word` is an unquoted word in lower case, or the sign itself; otherwise empty. */
export interface StatementToken extends Span {
  readonly kind: SqlToken['kind'];
  readonly word: string;
}

/** One statement, split into tokens without whitespace and comments; at least one token. */
export interface ScannedStatement extends Span {
  readonly tokens: readonly StatementToken[];
}
