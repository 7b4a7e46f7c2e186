import type { Translation } from '../../engine/connection/contract/translate.ts';
import { elementAt } from '../../invariants/must.ts';
import type { StatementBody } from '../api/semantic-api.ts';

/** The answer to a text of one statement. */
export function toTranslation(statements: readonly Pick<StatementBody, 'sql' | 'warnings'>[]): Translation {
  const { sql, warnings } = elementAt(statements, 0);
  if (statements.length > 1) throw new Error('a statement was read as several');
  return { status: 'done', sql, warnings };
}
