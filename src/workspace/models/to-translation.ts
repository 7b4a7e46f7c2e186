import type { Translation } from '../../engine/connection/contract/translate.ts';
import { elementAt } from '../../invariants/must.ts';
import type { CompiledStatement } from '../../semantic/compile/compile-statement.ts';
import type { StatementBody } from '../api/semantic-api.ts';

/** The body of a statement in a response. */
export function toBody({ sql, plans, paths, warnings }: CompiledStatement): StatementBody {
  return { sql, plans, paths, warnings };
}

/** The translation of a single statement. */
export function toTranslation(
  statements: readonly Pick<CompiledStatement, 'sql' | 'warnings' | 'clock'>[],
): Translation {
  const { sql, warnings, clock } = elementAt(statements, 0);
  if (statements.length > 1) throw new Error('expected one statement, got several');
  return { status: 'done', sql, warnings, clock };
}
