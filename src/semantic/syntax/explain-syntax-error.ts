import type { Span } from '../../engine/text/span.ts';
import type { ParserError } from './parser.ts';
import type { ParserText } from './parser-text.ts';
import { SemanticSqlError, syntaxTexts } from './semantic-sql-error.ts';
import type { ScannedStatement, Token } from './token.ts';

/**
 * Explains a syntax error: where the parser stopped, and what to write instead of another dialect's syntax
 * (docs/reference/semantic-sql.md#from-text-to-sql).
 */
export function explainSyntaxError(
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
  const place = { start: token.start, end: token.end };
  if (/^LIMIT #,#/.test(message)) return new SemanticSqlError(place, syntaxTexts.limitComma());
  if (!message.startsWith('syntax error')) return new SemanticSqlError(place, syntaxTexts.parser(message));
  return other ?? new SemanticSqlError(place, syntaxTexts.near(text.slice(place.start, place.end)));
}

/** Finds the first syntax that only other dialects have. */
function findOtherDialect(text: string, tokens: readonly Token[]): SemanticSqlError | null {
  for (const [at, token] of tokens.entries()) {
    const message = sayOfToken(text, tokens, at);
    if (message !== null) return new SemanticSqlError(token, message);
  }
  return null;
}

function sayOfToken(text: string, tokens: readonly Token[], at: number): string | null {
  const [token, next] = [tokens[at], tokens[at + 1]];
  const own = next === undefined ? '' : text.slice(next.start, next.end);
  switch (token?.word) {
    case '`':
      return syntaxTexts.backticks(readUntil(text, token, '`'));
    case '[':
      return isName(next) && tokens[at + 2]?.word === ']' ? syntaxTexts.brackets(own) : null;
    case 'top':
      return tokens[at - 1]?.word === 'select' && next?.kind === 'number' ? syntaxTexts.top(own) : null;
    case '#':
      return syntaxTexts.hash();
    case 'qualify':
      return syntaxTexts.qualify();
    default:
      return null;
  }
}

function isName(token: Token | undefined): boolean {
  return token?.kind === 'word';
}

/** The text after a sign up to the next one of the same kind on the line. */
function readUntil(text: string, { end }: Span, sign: string): string {
  const line = text.slice(end, end + 80).split('\n', 1)[0] ?? '';
  const close = line.indexOf(sign);
  return close === -1 ? line.trim() : line.slice(0, close);
}
