import type { Node, ParseResult } from 'libpg-query';
import type { Span } from '../../engine/text/span.ts';
import { createParserText, type ParserText } from './parser-text.ts';
import { readQueryTree } from './read-query-tree.ts';
import { type ScannedStatement, type StatementToken, scanStatements } from './scan-statements.ts';
import { SemanticSqlError, syntaxTexts } from './semantic-sql-error.ts';
import type { NameSyntax, StatementSyntax } from './syntax.ts';
import { findNode, nodeKindOf } from './tree.ts';

/** Parses Semantic SQL; the parser is loaded on demand. */
export type ParseStatements = (text: string) => readonly StatementSyntax[];

/**
 * Loads the parser of Semantic SQL (docs/reference/semantic-sql.md#from-text-to-sql): PostgreSQL's grammar, limited to
 * statements that read. The returned function throws a SemanticSqlError.
 */
export async function prepareParser(): Promise<ParseStatements> {
  const parse = await loadParser();
  return (text) => {
    const statements = scanStatements(text);
    if (statements.length === 0) throw new SemanticSqlError({ start: 0, end: 0 }, syntaxTexts.empty());
    return statements.map((statement) => parseStatement(parse, text, statement));
  };
}

function parseStatement(parse: Parse, text: string, statement: ScannedStatement): StatementSyntax {
  const show = readShow(text, statement);
  if (show !== null) return show;
  const parsed = createParserText(text, statement);
  const { start, end } = statement;
  const node = parseTree(parse, text, statement, parsed);
  const explained = findNode(node, 'ExplainStmt');
  if (explained !== undefined && explained.options !== undefined) {
    throw new SemanticSqlError(
      parsed.findSpan(0),
      syntaxTexts.feature('EXPLAIN with options', 'write EXPLAIN without options'),
    );
  }
  const query = explained === undefined ? node : explained.query;
  const select = findNode(query, 'SelectStmt');
  if (select === undefined)
    throw new SemanticSqlError(parsed.findSpan(0), refuseStatement(query, text, statement));
  const kind = explained === undefined ? 'query' : 'explain';
  return { kind, start, end, query: readQueryTree(parsed, select) };
}

function parseTree(
  parse: Parse,
  text: string,
  statement: ScannedStatement,
  parsed: ParserText,
): Node | undefined {
  try {
    return parse(parsed.ascii).stmts?.[0]?.stmt;
  } catch (error) {
    if (error instanceof ParserError) throw explainSyntaxError(text, statement, parsed, error);
    throw error;
  }
}

/** The error for a statement that does not read; it names the first word as written. */
function refuseStatement(node: Node | undefined, text: string, { tokens }: ScannedStatement): string {
  const first = tokens[0];
  const word = first?.kind === 'word' ? text.slice(first.start, first.end).toUpperCase() : null;
  return syntaxTexts.statement(word ?? (node === undefined ? 'this' : nodeKindOf(node)));
}

/**
 * Explains a syntax error: where the parser stopped, and what to write instead of another dialect's syntax
 * (docs/reference/semantic-sql.md#from-text-to-sql).
 */
function explainSyntaxError(
  text: string,
  statement: ScannedStatement,
  parsed: ParserText,
  { message, offset }: ParserError,
): SemanticSqlError {
  const { tokens } = statement;
  const other = findOtherDialect(text, tokens);
  if (offset >= parsed.ascii.length) {
    const end = { start: statement.end, end: statement.end };
    return other ?? new SemanticSqlError(end, syntaxTexts.atEnd());
  }
  const at = parsed.findToken(offset);
  const token = tokens[at] ?? statement;
  const span = { start: token.start, end: token.end };
  if (/^LIMIT #,#/.test(message)) return new SemanticSqlError(span, syntaxTexts.limitComma());
  if (!message.startsWith('syntax error')) return new SemanticSqlError(span, syntaxTexts.parser(message));
  return other ?? new SemanticSqlError(span, syntaxTexts.near(text.slice(span.start, span.end)));
}

/** Finds the first syntax that only other dialects have. */
function findOtherDialect(text: string, tokens: readonly StatementToken[]): SemanticSqlError | null {
  for (const [at, token] of tokens.entries()) {
    const message = sayOfToken(text, tokens, at);
    if (message !== null) return new SemanticSqlError(token, message);
  }
  return null;
}

function sayOfToken(text: string, tokens: readonly StatementToken[], at: number): string | null {
  const [token, next] = [tokens[at], tokens[at + 1]];
  const word = next === undefined ? '' : text.slice(next.start, next.end);
  switch (token?.word) {
    case '`':
      return syntaxTexts.backticks(readUntil(text, token, '`'));
    case '[':
      return isName(next) && tokens[at + 2]?.word === ']' ? syntaxTexts.brackets(word) : null;
    case 'top':
      return tokens[at - 1]?.word === 'select' && next?.kind === 'number' ? syntaxTexts.top(word) : null;
    case '#':
      return syntaxTexts.hash();
    case 'qualify':
      return syntaxTexts.qualify();
    default:
      return null;
  }
}

function isName(token: StatementToken | undefined): boolean {
  return token?.kind === 'word';
}

/** The text after a sign up to the next one of the same kind on the line. */
function readUntil(text: string, { end }: Span, sign: string): string {
  const line = text.slice(end, end + 80).split('\n', 1)[0] ?? '';
  const close = line.indexOf(sign);
  return close === -1 ? line.trim() : line.slice(0, close);
}

/**
 * Reads a SHOW statement, because PostgreSQL's grammar has another form; null for other statements. Throws a
 * SemanticSqlError.
 */
function readShow(text: string, statement: ScannedStatement): StatementSyntax | null {
  const { tokens, start, end } = statement;
  const [show, what, from, ...nameTokens] = tokens;
  if (show?.word !== 'show') return null;
  if (what?.word === 'entities' && from === undefined) return { kind: 'show-entities', start, end };
  if (what?.word === 'fields' && from === undefined) return { kind: 'show-fields', start, end, entity: null };
  if (what?.word !== 'fields' || from?.word !== 'from')
    throw new SemanticSqlError(what ?? show, syntaxTexts.show());
  return { kind: 'show-fields', start, end, entity: readEntity(text, nameTokens, from) };
}

function readEntity(
  text: string,
  tokens: readonly StatementToken[],
  from: StatementToken,
): readonly NameSyntax[] {
  const names = tokens.map((token, at) => {
    if (at % 2 === 0 && (token.kind === 'word' || token.kind === 'quoted-name')) return readName(text, token);
    if (at % 2 === 1 && token.word === '.' && at < tokens.length - 1) return null;
    throw new SemanticSqlError(token, syntaxTexts.show());
  });
  if (names.length === 0) throw new SemanticSqlError(from, syntaxTexts.show());
  return names.filter((name) => name !== null);
}

function readName(text: string, { kind, word, start, end }: StatementToken): NameSyntax {
  const isQuoted = kind === 'quoted-name';
  const name = isQuoted ? text.slice(start + 1, end - 1).replaceAll('""', '"') : word;
  return { text: name, isQuoted, start, end };
}

/** Parses ASCII text with PostgreSQL's grammar; throws a ParserError. */
type Parse = (text: string) => ParseResult;

/** An error of the parser with its offset. */
class ParserError extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.name = 'ParserError';
    this.offset = offset;
  }
}

let loading: Promise<Parse> | null = null;

/** Loads the parser once; it takes some 10 ms and a few megabytes. */
function loadParser(): Promise<Parse> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Parse> {
  const { loadModule, parseSync, hasSqlDetails } = await import('libpg-query');
  await loadModule();
  return (text) => {
    try {
      return parseSync(text);
    } catch (error) {
      if (error instanceof RangeError) throw new ParserError('the statement is nested too deeply', 0);
      if (!hasSqlDetails(error)) throw error;
      throw new ParserError(error.message, error.sqlDetails?.cursorPosition ?? 0);
    }
  };
}
