import type { LexicalRules } from './lexical-rules.ts';
import { scanSql } from './sql-scanner.ts';

/** A word at the start that ends before whitespace, as almost every statement has. */
const PLAIN = /^[a-z]+(?=[ \n])/i;

/** The first token of a statement except whitespace and comments, in lower case; '' for an empty one. */
export function findFirstWord(statement: string, lexicalRules: LexicalRules): string {
  const plain = PLAIN.exec(statement);
  if (plain !== null) return plain[0].toLowerCase();
  for (const { kind, start, end } of scanSql(statement, lexicalRules)) {
    if (kind !== 'space' && kind !== 'comment') return statement.slice(start, end).toLowerCase();
  }
  return '';
}
