import type { NullTyping } from '../../connection/contract/connection.ts';
import type { Statement } from '../../script/evaluate/steps.ts';
import { locate } from '../outcome/statement-error.ts';
import { joinStatements } from './compose.ts';

/**
 * A query whose columns of bare NULLs are of text (language 5); `compose` makes of one what can run now. Rejects
 * with a StatementError.
 */
export async function typeNulls(
  query: Statement,
  compose: (query: Statement) => Promise<Statement>,
  nulls: NullTyping | null,
  signal: AbortSignal,
): Promise<Statement> {
  if (nulls === null || !nulls.mayBeIn(query.sql)) return query;
  // Around the query, not before it: below a WITH a database may make up types for bare NULLs.
  const whole = await compose(enclose(query, nulls.printTypes()));
  const columns = await locate(whole, () => nulls.listColumns(whole.sql, signal));
  return columns.length === 0 ? query : enclose(query, nulls.printTexts(columns));
}

/** The line end keeps what follows out of a comment that may end the query. */
function enclose(query: Statement, [before, after]: readonly [before: string, after: string]): Statement {
  return joinStatements([before, query, `\n${after}`], query);
}
