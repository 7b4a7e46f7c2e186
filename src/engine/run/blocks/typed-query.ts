import type { NullTyping } from '../../connection/contract/connection.ts';
import type { Statement } from '../../script/evaluate/steps.ts';
import { locateStatement } from '../outcome/statement-error.ts';
import { joinStatements } from './compose.ts';

/** Whether a query can have untyped NULL columns that `typeNulls` changes, judged by its text. */
export function mayBeUntyped({ sql }: Statement, nulls: NullTyping | null): nulls is NullTyping {
  return nulls?.mayBeIn(sql) === true;
}

/**
 * A query whose untyped NULL columns have the type text (docs/reference/calls.md#rows-of-a-block); `compose` converts a
 * query to its executable form. Rejects with a StatementError.
 */
export async function typeNulls(
  query: Statement,
  compose: (query: Statement) => Promise<Statement>,
  nulls: NullTyping | null,
  signal: AbortSignal,
): Promise<Statement> {
  if (!mayBeUntyped(query, nulls)) return query;
  // Around the query, not before it: inside a WITH, a database can choose other types for untyped NULLs.
  const composed = await compose(enclose(query, nulls.printTypes()));
  const columns = await locateStatement(composed, () => nulls.listColumns(composed.sql, signal));
  return columns.length === 0 ? query : enclose(query, nulls.printTexts(columns));
}

/** The line end closes a line comment at the end of the query. */
function enclose(query: Statement, [before, after]: readonly [before: string, after: string]): Statement {
  return joinStatements([before, query, `\n${after}`], query);
}
