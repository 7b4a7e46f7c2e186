/** A SELECT without what calls a function, makes a list or holds a query; its texts and names are plain. */
const PLAIN_SELECT = /^\s*select\b[^()[\]{}"'$;\\]*(?:'[^']*'[^()[\]{}"'$;\\]*)*(?:;\s*)?$/i;
/** Longer texts are more than such a question, and may have more parts than an expression can go back through. */
const MAX_LENGTH = 1000;
/** Words by which a query has rows of its own, or of another one. */
const MORE_ROWS = /\b(?:from|table|union|intersect|except|values|with|pivot\w*|unpivot\w*)\b/i;

/**
 * Whether a query has but one row, whatever the database has, by its text alone: a question whether anybody is there.
 * false where that is not plain to see.
 */
export function isOneRow(statement: string): boolean {
  return statement.length <= MAX_LENGTH && PLAIN_SELECT.test(statement) && !MORE_ROWS.test(statement);
}
