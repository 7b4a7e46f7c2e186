import type { Relations } from '../connection/connection.ts';
import type { Statement } from '../script/steps.ts';
import { joinStatements } from './compose.ts';
import { locate } from './statement-error.ts';

/**
 * A query whose columns of bare NULLs are of text (language 5); `compose` makes it one that can run now. Rejects
 * with a StatementError.
 */
export async function typeNulls(
  query: Statement,
  compose: () => Promise<Statement>,
  relations: Relations,
  signal: AbortSignal,
): Promise<Statement> {
  if (!relations.mayBeUntyped(query.sql)) return query;
  const whole = await compose();
  const untyped = await locate(whole, () => relations.listUntyped(whole.sql, signal));
  if (untyped.length === 0) return query;
  const [before, after] = relations.printTyped(untyped);
  // The line end keeps what follows out of a comment that may end the query.
  return joinStatements([before, query, `\n${after}`], query);
}
