import { type Interruptible, isPause } from '../../../text/interruptible.ts';
import { duckdbRules } from '../../../text/lexical-rules.ts';
import { type SqlToken, scanSql } from '../../../text/sql-scanner.ts';
import { type Refusal, refusals } from './errors.ts';

/** A token that is neither blank nor comment. */
export interface Token {
  readonly kind: SqlToken['kind'];
  /** As it stands; of a name without its quotes. */
  readonly raw: string;
  /** The same, of words and names in lower case. */
  readonly text: string;
  readonly start: number;
}

/** How many tokens a statement may have: they stay in memory while it is checked, and the engine needs far more. */
export const MAX_TOKENS = 4_000_000;

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
/**
 * Where these stand, the engine may take a Unicode space for a letter: it looks for such spaces before it reads the
 * text, and knows neither comments in `/*` nor escapes then; and `$ $` with one opens a text.
 */
const MISREAD = /\$|\/\*|(?<![a-z_\x80-\uffff])e'/i;
const CLOSERS = new Set(Object.values(CLOSING));

/** Reads a text, which may be cut off anywhere: what then has no end, or no beginning, is a refusal. */
export function* readTokens(sql: string): Interruptible<{
  readonly tokens: readonly Token[];
  readonly refusal: Refusal | null;
}> {
  const tokens: Token[] = [];
  const isClear = !MISREAD.test(sql);
  let passed = 0;
  for (const { kind, start, end, terminated } of scanSql(sql, duckdbRules)) {
    passed += 1;
    if (isPause(passed)) yield;
    if (!terminated) return { tokens, refusal: refusals.loose(start) };
    if (kind === 'space' && !isClear && !isAscii(sql.slice(start, end))) {
      return { tokens, refusal: refusals.space(start) };
    }
    if (kind === 'space' || kind === 'comment') continue;
    if (tokens.length === MAX_TOKENS) return { tokens, refusal: refusals.long(MAX_TOKENS, start) };
    tokens.push(createToken(kind, sql.slice(start, end), start));
  }
  const loose = yield* findLooseBracket(tokens);
  return { tokens, refusal: loose === null ? null : refusals.loose(loose.start) };
}

function createToken(kind: Token['kind'], written: string, start: number): Token {
  const raw = kind === 'quoted-name' ? unquote(written, '"') : written;
  const text = kind === 'word' || kind === 'quoted-name' ? raw.toLowerCase() : raw;
  return { kind, raw, text, start };
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

/** A bracket without its counterpart. */
function* findLooseBracket(tokens: readonly Token[]): Interruptible<Token | null> {
  const open: Token[] = [];
  for (const [at, token] of tokens.entries()) {
    if (isPause(at)) yield;
    if (token.kind !== 'punctuation') continue;
    if (Object.hasOwn(CLOSING, token.text)) open.push(token);
    else if (CLOSERS.has(token.text)) {
      const opened = open.pop();
      if (opened === undefined || CLOSING[opened.text] !== token.text) return token;
    }
  }
  return open.at(-1) ?? null;
}

function unquote(text: string, quote: string): string {
  return text.slice(1, -1).replaceAll(quote + quote, quote);
}

/** Whether a token is one of these words, without quotes. */
export function isWord(token: Token | undefined, ...texts: readonly string[]): boolean {
  return token !== undefined && token.kind === 'word' && texts.includes(token.text);
}

/** Whether a token is this mark. */
export function isMark(token: Token | undefined, text: string): boolean {
  return token !== undefined && token.kind === 'punctuation' && token.text === text;
}

/** Whether a token is a name, in quotes or without. */
export function isName(token: Token | undefined): token is Token {
  return token !== undefined && (token.kind === 'word' || token.kind === 'quoted-name');
}

/** The content of a plain text in quotes; null for every other token (`E'…'` and `$$…$$` among them). */
export function readLiteral(token: Token | undefined): string | null {
  if (token?.kind !== 'string' || !token.text.startsWith("'")) return null;
  return unquote(token.text, "'");
}
