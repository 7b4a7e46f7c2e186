import { SemanticSqlError, syntaxTexts } from './semantic-sql-error.ts';
import type { NameSyntax, StatementSyntax } from './syntax.ts';
import type { ScannedStatement, Token } from './token.ts';

/**
 * Reads a SHOW statement, because PostgreSQL's grammar has another form; null for other statements. Throws a
 * SemanticSqlError.
 */
export function readShow(text: string, statement: ScannedStatement): StatementSyntax | null {
  const { tokens, start, end } = statement;
  const [show, what, from, ...rest] = tokens;
  if (show?.word !== 'show') return null;
  if (what?.word === 'entities' && from === undefined) return { kind: 'show-entities', start, end };
  if (what?.word === 'fields' && from === undefined) return { kind: 'show-fields', start, end, entity: null };
  if (what?.word !== 'fields' || from?.word !== 'from')
    throw new SemanticSqlError(what ?? show, syntaxTexts.show());
  return { kind: 'show-fields', start, end, entity: readEntity(text, rest, from) };
}

function readEntity(text: string, tokens: readonly Token[], from: Token): readonly NameSyntax[] {
  const names = tokens.map((token, at) => {
    if (at % 2 === 0 && (token.kind === 'word' || token.kind === 'quoted-name')) return readName(text, token);
    if (at % 2 === 1 && token.word === '.' && at < tokens.length - 1) return null;
    throw new SemanticSqlError(token, syntaxTexts.show());
  });
  if (names.length === 0) throw new SemanticSqlError(from, syntaxTexts.show());
  return names.filter((name) => name !== null);
}

function readName(text: string, { kind, word, start, end }: Token): NameSyntax {
  const isQuoted = kind === 'quoted-name';
  const name = isQuoted ? text.slice(start + 1, end - 1).replaceAll('""', '"') : word;
  return { text: name, isQuoted, start, end };
}
