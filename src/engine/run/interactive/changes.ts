import type { StatementResult } from '../../connection/contract/connection.ts';
import { findFirstWord } from '../../text/first-word.ts';
import type { LexicalRules } from '../../text/lexical-rules.ts';
import { countsRows } from '../blocks/is-query.ts';

/** The number of rows that a statement without a result set has changed, and how, if the database tells it. */
export interface RowChange {
  readonly verb: 'inserted' | 'updated' | 'deleted' | 'copied' | 'changed';
  readonly rows: number;
}

const VERBS: ReadonlyMap<string, RowChange['verb']> = new Map<string, RowChange['verb']>([
  ['insert', 'inserted'],
  ['update', 'updated'],
  ['delete', 'deleted'],
  ['copy', 'copied'],
]);
/** Inserts that can also update or delete rows. */
const UPSERT = /\bon\s+(?:duplicate|conflict)\b|\binsert\s+or\s+replace\b/i;

/** Returns the change that a statement has made; null for a statement that counts no rows. */
export function findRowChange(
  statement: string,
  result: StatementResult,
  lexicalRules: LexicalRules,
): RowChange | null {
  if (result.kind === 'rows' || !countsRows(statement, lexicalRules)) return null;
  const verb = VERBS.get(findFirstWord(statement, lexicalRules)) ?? 'changed';
  return { verb: verb === 'inserted' && UPSERT.test(statement) ? 'changed' : verb, rows: result.rowsChanged };
}
