/** A SELECT without function calls, lists or subqueries, with plain strings and names. */
const PLAIN_SELECT = /^\s*select\b[^()[\]{}"'$;\\]*(?:'[^']*'[^()[\]{}"'$;\\]*)*(?:;\s*)?$/i;
/** Longer statements are not simple checks, and may exceed the backtracking limit of the expression. */
const MAX_LENGTH = 1000;
/** Words that give a query several rows, or those of another query. */
const MORE_ROWS = /\b(?:from|table|union|intersect|except|values|with|pivot\w*|unpivot\w*)\b/i;

/**
 * Whether a query has exactly one row in any database, judged by its text, such as a connection check; false if that is
 * not certain.
 */
export function isOneRow(statement: string): boolean {
  return statement.length <= MAX_LENGTH && PLAIN_SELECT.test(statement) && !MORE_ROWS.test(statement);
}
