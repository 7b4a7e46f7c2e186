import { type Run, readTexts, runAround } from './run-inner.ts';

/**
 * The types of the columns of a query as the database prints them, without running it; for databases with `typeof`.
 * Rejects with a DatabaseError; its offset is one in the query.
 */
export async function readTypes(
  run: Run,
  [query, count]: readonly [query: string, count: number],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const names = Array.from({ length: count }, (_, i) => `quern_${i + 1}`);
  const types = names.map((name) => `typeof(${name})`).join(', ');
  // One row, whose values are NULLs of the types of the query.
  const before = `SELECT ${types} FROM (VALUES (1)) AS quern_one LEFT JOIN (SELECT * FROM (`;
  const after = `) AS quern_query LIMIT 0) AS quern_none (${names.join(', ')}) ON true`;
  let typeNames: readonly (string | null)[] = [];
  const read: Run = async (statement, statementSignal) => {
    const result = await run(statement, statementSignal);
    [typeNames = []] = await readTexts(result);
    return result;
  };
  await runAround(read, [before, query, after], signal);
  return typeNames.map((type) => type!);
}
