import { mysqlRules } from '../../text/lexical-rules.ts';
import { mayBeUntyped } from '../contract/is-repeatable.ts';
import type { Run } from '../contract/run-inner.ts';
import { describeQuery } from '../server/describe-query.ts';
import { quoteName, TEXT } from './publishing-sql.ts';
import { isUntyped } from './types.ts';

/**
 * Definitions for the columns of a query that must become text in a table of its rows, because their own type cannot
 * hold values (bare NULLs, empty strings). Rejects like `describeQuery`.
 */
export async function defineTexts(run: Run, query: string, signal: AbortSignal): Promise<readonly string[]> {
  if (!mayBeUntyped(query, mysqlRules) && !/''|""/.test(query)) return [];
  const columns = await describeQuery(run, query, signal);
  return columns.filter(({ type }) => isUntyped(type)).map(({ name }) => `${quoteName(name)} ${TEXT}`);
}
