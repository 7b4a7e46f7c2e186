import type { Translation } from '../../engine/connection/contract/translate.ts';
import { elementAt } from '../../invariants/must.ts';
import type { StatementBody } from '../api/semantic-api.ts';

/** The translation of a single statement. */
export function toTranslation(statements: readonly Pick<StatementBody, 'sql' | 'warnings'>[]): Translation {
  const { sql, warnings } = elementAt(statements, 0);
  if (statements.length > 1) throw new Error('expected one statement, got several');
  return { status: 'done', sql, warnings };
}
