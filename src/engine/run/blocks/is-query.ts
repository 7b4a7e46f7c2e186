import type { LexicalRules } from '../../text/lexical-rules.ts';
import { scanSql } from '../../text/sql-scanner.ts';

const BEGINNINGS = new Set(['select', 'with', 'from', 'values', 'table', 'pivot', 'unpivot', '(']);
const WRITERS = new Set(['insert', 'update', 'delete', 'merge']);
const CHANGERS = new Set([...WRITERS, 'replace']);
const TELLERS = new Set(['explain', 'describe', 'show', 'summarize']);

/** Whether a statement is a query, by its first word: one that can stand inside another statement. */
export function isQuery(statement: string, lexicalRules: LexicalRules): boolean {
  for (const word of listWords(statement, lexicalRules)) return BEGINNINGS.has(word);
  return false;
}

/** Whether a statement that is no query surely has rows, also when it changes something first. */
export function tellsRows(statement: string, lexicalRules: LexicalRules): boolean {
  const [first = '', ...others] = listWords(statement, lexicalRules);
  return TELLERS.has(first) || (CHANGERS.has(first) && others.includes('returning'));
}

/** Whether a statement may change what others read: one that is no query, or holds one that writes. */
export function mayWrite(statement: string, lexicalRules: LexicalRules): boolean {
  if (!isQuery(statement, lexicalRules)) return true;
  if (!/^with\b/i.test(statement)) return false;
  for (const word of listWords(statement, lexicalRules)) if (WRITERS.has(word)) return true;
  return false;
}

function* listWords(statement: string, lexicalRules: LexicalRules): Generator<string> {
  for (const { kind, start, end } of scanSql(statement, lexicalRules)) {
    if (kind !== 'space' && kind !== 'comment') yield statement.slice(start, end).toLowerCase();
  }
}
