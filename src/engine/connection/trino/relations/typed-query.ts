import { trinoRules } from '../../../text/lexical-rules.ts';
import { SQL_DIALECT } from '../../../text/sql-dialect.ts';
import { mayBeUntyped } from '../../contract/is-repeatable.ts';
import type { Run } from '../../contract/run-inner.ts';
import { describeQuery } from '../../server/describe-query.ts';

const { quoteName } = SQL_DIALECT.trino;

/** The text before and after a query. */
export type Around = readonly [before: string, after: string];

/**
 * The text around a query in which columns of bare NULLs are text: tables and views cannot have columns without a type.
 * Rejects like `describeQuery`.
 */
export async function typeNulls(run: Run, query: string, signal: AbortSignal): Promise<Around> {
  if (!mayBeUntyped(query, trinoRules)) return ['', ''];
  const columns = await describeQuery(run, query, signal);
  if (columns.every(({ type }) => type.kind !== 'null')) return ['', ''];
  const selected = columns.map(({ name, type }, i) => {
    const column = `quern_${i + 1}`;
    return `${type.kind === 'null' ? `CAST(${column} AS varchar)` : column} AS ${quoteName(name)}`;
  });
  const names = columns.map((_, i) => `quern_${i + 1}`);
  return [`SELECT ${selected.join(', ')} FROM (`, `) AS quern_typed (${names.join(', ')})`];
}
