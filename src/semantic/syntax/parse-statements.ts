import type { Node } from 'libpg-query';
import { explainSyntaxError } from './explain-syntax-error.ts';
import { loadParser, type Parse, ParserError } from './parser.ts';
import { createParserText, type ParserText } from './parser-text.ts';
import { readQueryTree } from './read-query-tree.ts';
import { readShow } from './read-show.ts';
import { scanStatements } from './scan-statements.ts';
import { SemanticSqlError, syntaxTexts } from './semantic-sql-error.ts';
import type { StatementSyntax } from './syntax.ts';
import type { ScannedStatement } from './token.ts';
import { findNode, kindOf } from './tree.ts';

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
  return syntaxTexts.statement(word ?? (node === undefined ? 'this' : kindOf(node)));
}
