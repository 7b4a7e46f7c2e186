import type { SqlLexis } from '../text/sql-lexis.ts';
import { scanSql } from '../text/sql-scanner.ts';

const BEGINNINGS = new Set(['select', 'with', 'from', 'values', 'table', 'pivot', 'unpivot', '(']);

/** Whether a statement is a query, by its first word: one that can stand inside another statement. */
export function isQuery(statement: string, lexis: SqlLexis): boolean {
  for (const { kind, start, end } of scanSql(statement, lexis)) {
    if (kind === 'space' || kind === 'comment') continue;
    return BEGINNINGS.has(statement.slice(start, end).toLowerCase());
  }
  return false;
}
