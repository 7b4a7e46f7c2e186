import { type Interruptible, isPause } from '../../../text/interruptible.ts';
import { duckdbRules } from '../../../text/lexical-rules.ts';
import { type SqlToken, scanSql } from '../../../text/sql-scanner.ts';
import { type GateDiagnostic, gateDiagnostics } from './errors.ts';

/** A token other than blanks and comments. */
export interface SignificantToken {
  readonly kind: Kind;
  /** As written; a quoted name without its quotes. */
  readonly raw: string;
  /** Like `raw`, but words and names are in lower case. */
  readonly text: string;
  readonly start: number;
}

/**
 * Maximum tokens of a statement: their positions stay in memory during the check, and the engine needs far more.
 *
 * @internal
 */
export const MAX_TOKENS = 4_000_000;

const KINDS = [
  'word',
  'number',
  'string',
  'quoted-name',
  'dollar-quote',
  'parameter',
  'punctuation',
] as const satisfies readonly SqlToken['kind'][];
type Kind = (typeof KINDS)[number];
const CODES = Object.fromEntries(KINDS.map((kind, code) => [kind, code])) as Record<Kind, number>;

/** Number of recent tokens that are kept as objects, because rules read neighbouring tokens several times. */
const RECENT = 16;

/**
 * The tokens of a text, in order. It stores only their positions: garbage collection of millions of objects would pause
 * the process.
 */
export class TokenList {
  readonly #sql: string;
  #kinds = new Uint8Array(64);
  /** Start and end of each token. */
  #places = new Uint32Array(2 * 64);
  #length = 0;
  readonly #recent: { readonly at: number; readonly token: SignificantToken }[] = [];

  constructor(sql: string) {
    this.#sql = sql;
  }

  get length(): number {
    return this.#length;
  }

  add(kind: Kind, start: number, end: number): void {
    const at = this.#length;
    if (at === this.#kinds.length) this.#grow();
    this.#kinds[at] = CODES[kind];
    this.#places[2 * at] = start;
    this.#places[2 * at + 1] = end;
    this.#length += 1;
  }

  #grow(): void {
    const [kinds, places] = [this.#kinds, this.#places];
    this.#kinds = new Uint8Array(2 * kinds.length);
    this.#places = new Uint32Array(2 * places.length);
    this.#kinds.set(kinds);
    this.#places.set(places);
  }

  /** The token at an index; undefined outside the list. */
  at(index: number): SignificantToken | undefined {
    if (index < 0 || index >= this.#length) return undefined;
    const slot = index % RECENT;
    const recent = this.#recent[slot];
    if (recent?.at === index) return recent.token;
    const start = this.#places[2 * index]!;
    const token = createToken(
      KINDS[this.#kinds[index]!]!,
      this.#sql.slice(start, this.#places[2 * index + 1]!),
      start,
    );
    this.#recent[slot] = { at: index, token };
    return token;
  }
}

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
/**
 * After these, the engine may treat a Unicode space as a letter: it replaces such spaces before parsing, and then
 * ignores `/*` comments and escapes; `$ $` with such a space opens a string.
 */
const MISREAD = /\$|\/\*|(?<![a-z_\x80-\uffff])e'/gi;
/** Number of characters that are searched at once. */
const SEARCHED = 256 * 1024;
const CLOSERS = new Set(Object.values(CLOSING));

/** Tokenizes a text, which may be incomplete; a missing end or start becomes a diagnostic. */
export function* readTokens(sql: string): Interruptible<{
  readonly tokens: TokenList;
  readonly diagnostic: GateDiagnostic | null;
}> {
  const tokens = new TokenList(sql);
  const isClear = !(yield* mayBeMisread(sql));
  let passed = 0;
  for (const { kind, start, end, terminated } of scanSql(sql, duckdbRules)) {
    passed += 1;
    if (isPause(passed)) yield;
    if (!terminated) return { tokens, diagnostic: gateDiagnostics.loose(start) };
    if (kind === 'space' && !isClear && !isAscii(sql.slice(start, end))) {
      return { tokens, diagnostic: gateDiagnostics.space(start) };
    }
    if (kind === 'space' || kind === 'comment') continue;
    if (tokens.length === MAX_TOKENS) return { tokens, diagnostic: gateDiagnostics.long(MAX_TOKENS, start) };
    tokens.add(kind, start, end);
  }
  const loose = yield* findLooseBracket(tokens);
  return { tokens, diagnostic: loose === null ? null : gateDiagnostics.loose(loose.start) };
}

function* mayBeMisread(sql: string): Interruptible<boolean> {
  for (let at = 0; at < sql.length; at += SEARCHED) {
    if (at > 0) yield;
    // Parts overlap by two characters: the possible start of a match, and the character before it.
    const first = Math.max(0, at - 2);
    MISREAD.lastIndex = at - first === 0 ? 0 : 1;
    if (MISREAD.test(sql.slice(first, at + SEARCHED))) return true;
  }
  return false;
}

function createToken(kind: Kind, written: string, start: number): SignificantToken {
  const raw = kind === 'quoted-name' ? unquote(written, '"') : written;
  const text = kind === 'word' || kind === 'quoted-name' ? raw.toLowerCase() : raw;
  return { kind, raw, text, start };
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

/** Finds a bracket without its counterpart. */
function* findLooseBracket(tokens: TokenList): Interruptible<SignificantToken | null> {
  const open: SignificantToken[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    if (isPause(at)) yield;
    const token = tokens.at(at)!;
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

/** Whether a token is one of these words, unquoted. */
export function isWord(token: SignificantToken | undefined, ...texts: readonly string[]): boolean {
  return token !== undefined && token.kind === 'word' && texts.includes(token.text);
}

/** Whether a token is this symbol. */
export function isMark(token: SignificantToken | undefined, text: string): boolean {
  return token !== undefined && token.kind === 'punctuation' && token.text === text;
}

/** Whether a token is a name, quoted or unquoted. */
export function isName(token: SignificantToken | undefined): token is SignificantToken {
  return token !== undefined && (token.kind === 'word' || token.kind === 'quoted-name');
}

/** The content of a plain string literal; null for other tokens (including `E'…'` and `$$…$$`). */
export function readStringLiteral(token: SignificantToken | undefined): string | null {
  if (token?.kind !== 'string' || !token.text.startsWith("'")) return null;
  return unquote(token.text, "'");
}
