import type { Span } from '../../engine/text/span.ts';

/** An error in Semantic SQL (422) with its location; spans are UTF-16 offsets in the text. */
export class SemanticSqlError extends Error {
  readonly span: Span;

  constructor({ start, end }: Span, message: string) {
    super(message);
    this.name = 'SemanticSqlError';
    this.span = { start, end };
  }
}

/** The limits of characters, tokens, levels and operators (docs/reference/semantic-sql.md#limits). */
export const LIMITS = {
  bytes: 1_048_576,
  /** Of a number: to convert a longer one takes more time than to read it. */
  digits: 1_000,
  tokens: 50_000,
  nesting: 200,
  chain: 500,
  depth: 1_000,
  /** Of ROLLUP, CUBE and GROUPING SETS: each level is a separate query. */
  levels: 1_000,
} as const;

const count = (number: number) => number.toLocaleString('en');

/** Messages for invalid Semantic SQL. Each says what to write instead, if there is an equivalent. */
export const syntaxTexts = {
  nul: () => 'the statement contains a NUL character',
  surrogate: () => 'the statement contains half of a surrogate pair: it is not well-formed Unicode',
  space: (code: string) => `\`${code}\` outside of quotes is not supported: write a plain space`,
  tooLong: () => `the statement has more than ${count(LIMITS.bytes)} bytes`,
  tooManyTokens: () =>
    `the statement has more than ${count(LIMITS.tokens)} words and signs: put long lists of values into IN (…)`,
  nesting: () => `parentheses, brackets and CASE are nested more than ${LIMITS.nesting} deep`,
  chain: () => `more than ${LIMITS.chain} operators in a row: write lists of values as IN (…)`,
  depth: () => `the expression is more than ${count(LIMITS.depth)} operators deep`,
  tooManyLevels: () =>
    `GROUP BY has more than ${count(LIMITS.levels)} levels: write only the levels you need, in GROUPING SETS`,
  digits: () => `a number can have at most ${count(LIMITS.digits)} digits`,
  unterminated: (what: string) => `${what} is not closed`,
  unicodeEscape: () => 'U& is not supported: write the characters themselves',
  parameter: (name: string) => `parameter \`${name}\` has no value`,
  empty: () => 'the text contains no statement',
  near: (token: string) => `syntax error at \`${token}\``,
  atEnd: () => 'syntax error at the end of the statement',
  show: () => 'SHOW must be followed by ENTITIES, FIELDS, or FIELDS FROM and an entity',
  backticks: (name: string) => `backticks do not quote names: write \`"${name}"\``,
  brackets: (name: string) => `brackets do not quote names: write \`"${name}"\``,
  top: (rows: string) => `TOP is not supported: write LIMIT ${rows} at the end`,
  limitComma: () => 'LIMIT with a comma is not supported: write LIMIT rows OFFSET skipped rows',
  hash: () => '`#` does not start a comment: write `--`',
  qualify: () => 'QUALIFY is not supported: put the window function into a sub-query and filter around it',
  parser: (message: string) => message,
  statement: (what: string) =>
    `${what} is not supported: Semantic SQL only reads: write SELECT, EXPLAIN or SHOW`,
  feature: (what: string, instead: string) => `${what} is not supported: ${instead}`,
  unsupported: (what: string) => `${what} is not supported`,
  operator: (sign: string, instead: string | undefined) =>
    `operator \`${sign}\` is not supported${instead === undefined ? '' : `: ${instead}`}`,
  rows: (clause: string) => `${clause} must be a whole number of rows`,
  negativeRows: (clause: string) => `${clause} must not be negative`,
};
