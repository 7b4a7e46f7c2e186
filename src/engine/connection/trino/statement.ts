import { trinoRules } from '../../text/lexical-rules.ts';
import { scanSql } from '../../text/sql-scanner.ts';

/** Whether a text has no statement: it is empty, or has only comments. */
export function isBlank(text: string): boolean {
  return [...scanSql(text, trinoRules)].every(({ kind }) => kind === 'space' || kind === 'comment');
}
