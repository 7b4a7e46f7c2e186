import type { Span } from '../../engine/text/span.ts';
import { elementAt } from '../../invariants/must.ts';
import type { ScannedStatement, StatementToken } from './scan-statements.ts';
import type { NameSyntax } from './syntax.ts';

/** The maximum length of a name that the parser does not truncate, in bytes. */
const LONGEST_NAME = 63;

/**
 * A statement in the form that the parser reads: in ASCII, so that bytes, code points and UTF-16 offsets agree. Short
 * placeholders replace quoted names, long names and names with other letters, which the parser would truncate or fold.
 */
export interface ParserText {
  readonly ascii: string;
  /** The original name of a parsed name. `span` is used for names without quotes. */
  readName(parsed: string, span: Span): NameSyntax;
  /** The token at the parser's location, or `behind` tokens after it; the whole statement without a location. */
  findSpan(location: number | undefined, behind?: number): Span;
  /** The first token that is the word; the whole statement without such a token. */
  findWord(word: string): Span;
  /** The index of the token at a location. */
  findToken(location: number): number;
}

/** The placeholder for GROUP BY ALL, which the parser does not support. */
const ALL = '#all';

/** Whether a name is the placeholder of GROUP BY ALL: other unquoted names cannot contain its sign. */
export function isGroupByAll({ text, isQuoted }: NameSyntax): boolean {
  return text === ALL && !isQuoted;
}

/** Rewrites a statement for the parser. */
export function createParserText(text: string, statement: ScannedStatement): ParserText {
  const { tokens } = statement;
  const names: NameSyntax[] = [];
  const pieces: string[] = [];
  /** The start of each token in the rewritten text. */
  const starts = new Uint32Array(tokens.length);
  let length = 0;
  const put = (piece: string) => {
    pieces.push(piece);
    length += piece.length;
  };
  for (const [at, token] of tokens.entries()) {
    const before = tokens[at - 1];
    if (before !== undefined && before.end < token.start) {
      // Strings separated by a line end are one string.
      put(text.slice(before.end, token.start).includes('\n') ? '\n' : ' ');
    }
    if (isAllOfGroupBy(tokens, at)) {
      starts[at] = length;
      put(`"${ALL}"`);
      continue;
    }
    const piece = printToken(text, token, names);
    // Two adjacent quoted names would become one name with a quote in it.
    const isChanged = piece !== text.slice(token.start, token.end);
    if (before?.end === token.start && (isChanged || piece.startsWith('"'))) put(' ');
    starts[at] = length;
    put(piece);
  }
  const findToken = (location: number) => findLast(starts, location);
  return {
    ascii: pieces.join(''),
    readName: (parsed, span) => {
      if (!parsed.startsWith('#') || parsed === ALL)
        return { text: parsed, isQuoted: false, start: span.start, end: span.end };
      return elementAt(names, Number(parsed.slice(1)));
    },
    findSpan: (location, behind = 0) => {
      if (location === undefined || location < 0) return { start: statement.start, end: statement.end };
      const at = Math.min(findToken(location) + behind, tokens.length - 1);
      const { start, end } = elementAt(tokens, at);
      return { start, end };
    },
    findWord: (word) => {
      const { start, end } = tokens.find((token) => token.word === word) ?? statement;
      return { start, end };
    },
    findToken,
  };
}

/** The index of the last number, in ascending order, that is not above a limit. */
function findLast(ascending: Uint32Array, limit: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (elementAt(ascending, middle) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}

const AFTER_ALL: ReadonlySet<string> = new Set(
  ') having order limit offset fetch window union intersect except for'.split(' '),
);

/**
 * Whether a token is the ALL of GROUP BY ALL. Before expressions, ALL is PostgreSQL's keyword that keeps duplicates.
 */
function isAllOfGroupBy(tokens: readonly StatementToken[], at: number): boolean {
  if (tokens[at]?.word !== 'all' || tokens[at - 1]?.word !== 'by' || tokens[at - 2]?.word !== 'group')
    return false;
  const next = tokens[at + 1];
  return next === undefined || AFTER_ALL.has(next.word);
}

function printToken(text: string, token: StatementToken, names: NameSyntax[]): string {
  const word = text.slice(token.start, token.end);
  const isPlain = isAscii(word);
  if (token.kind === 'quoted-name')
    return standIn(word.slice(1, -1).replaceAll('""', '"'), true, token, names);
  if (token.kind === 'word') {
    return isPlain && word.length <= LONGEST_NAME ? word : standIn(word.toLowerCase(), false, token, names);
  }
  if (isPlain) return word;
  if (token.kind === 'dollar-quote') {
    const mark = word.indexOf('$', 1) + 1;
    return quoteWithEscapes(word.slice(mark, -mark));
  }
  if (token.kind !== 'string') return '?';
  return word.startsWith("'")
    ? quoteWithEscapes(word.slice(1, -1).replaceAll("''", "'"))
    : escapeOthers(word);
}

function standIn(text: string, isQuoted: boolean, { start, end }: Span, names: NameSyntax[]): string {
  if (text === '') return '""';
  names.push({ text, isQuoted, start, end });
  return `"#${names.length - 1}"`;
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 127) return false;
  return true;
}

/** A text as an ASCII string with escapes. */
function quoteWithEscapes(text: string): string {
  return `E'${escapeLetters(text.replaceAll('\\', '\\\\').replaceAll("'", "''"))}'`;
}

/** Like `escapeLetters`, for a string that already has escapes: a letter after a backslash stands for itself. */
function escapeOthers(text: string): string {
  return escapeLetters(
    text.replace(/\\([\s\S])/gu, (whole, letter: string) => (isAscii(letter) ? whole : letter)),
  );
}

function escapeLetters(text: string): string {
  return text.replace(
    /\P{ASCII}/gu,
    (letter) => `\\U${(letter.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`,
  );
}
