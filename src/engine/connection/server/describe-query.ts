import type { Column } from '../../result/columns/column.ts';
import { type Run, runAround } from '../contract/run-inner.ts';

/** Text before and after a query; the resulting query has the same columns and no rows. */
export const NO_ROWS = ['SELECT * FROM (', ') AS quern_query LIMIT 0'] as const;

/** The columns of a query, without running it. Rejects with a DatabaseError; its offset is one in the query. */
export async function describeQuery(
  run: Run,
  query: string,
  signal: AbortSignal,
): Promise<readonly Column[]> {
  let columns: readonly Column[] = [];
  const read: Run = async (statement, statementSignal) => {
    const result = await run(statement, statementSignal);
    if (result.kind === 'done') return result;
    columns = result.columns;
    for await (const _ of result.chunks);
    return result;
  };
  await runAround(read, [NO_ROWS[0], query, NO_ROWS[1]], signal);
  return columns;
}
