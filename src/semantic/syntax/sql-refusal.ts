import type { Span } from '../../engine/text/span.ts';

/** What keeps a text of Semantic SQL from being run (422), and where; spans are UTF-16 offsets in the text. */
export class SqlRefusal extends Error {
  readonly span: Span;

  constructor({ start, end }: Span, message: string) {
    super(message);
    this.name = 'SqlRefusal';
    this.span = { start, end };
  }
}

/** Characters, tokens, levels and operators that a text may have (semantic SQL 1). */
export const LIMITS = {
  bytes: 1_048_576,
  tokens: 50_000,
  nesting: 200,
  chain: 500,
  depth: 1_000,
} as const;

const count = (number: number) => number.toLocaleString('en');

/** What is said of texts that are no Semantic SQL; each says what to write instead, where something means the same. */
export const syntaxTexts = {
  nul: () => 'the text has a NUL character',
  surrogate: () => 'the text has half of a surrogate pair: it is not well-formed Unicode',
  space: (code: string) => `\`${code}\` stands outside of quotes: write a plain space`,
  tooLong: () => `the text has more than ${count(LIMITS.bytes)} bytes`,
  tooManyTokens: () =>
    `the text has more than ${count(LIMITS.tokens)} words and signs: put long lists of values into IN (…)`,
  nesting: () => `parentheses, brackets and CASE are nested more than ${LIMITS.nesting} deep`,
  chain: () => `more than ${LIMITS.chain} operators follow one another: write lists of values as IN (…)`,
  depth: () => `the expression is more than ${count(LIMITS.depth)} operators deep`,
  unterminated: (what: string) => `${what} has no end`,
  unicodeEscape: () => 'U& is not supported: write the characters themselves',
  parameter: (name: string) => `parameter \`${name}\` has no value`,
  empty: () => 'the text has no statement',
  near: (token: string) => `syntax error at \`${token}\``,
  atEnd: () => 'syntax error at the end of the statement',
  show: () => 'SHOW takes ENTITIES, FIELDS, or FIELDS FROM and an entity',
  backticks: (name: string) => `backticks quote nothing: write \`"${name}"\``,
  brackets: (name: string) => `brackets quote nothing: write \`"${name}"\``,
  top: (rows: string) => `TOP is not supported: write LIMIT ${rows} at the end`,
  limitComma: () => 'LIMIT with a comma is not supported: write LIMIT rows OFFSET rows to skip',
  hash: () => '`#` begins no comment: write `--`',
  qualify: () => 'QUALIFY is not supported: put the window function into a sub-query and filter around it',
  parser: (message: string) => message,
  statement: (what: string) =>
    `${what} is not supported: Semantic SQL only reads: write SELECT, EXPLAIN or SHOW`,
  feature: (what: string, instead: string) => `${what} is not supported: ${instead}`,
  unsupported: (what: string) => `${what} is not supported`,
  operator: (sign: string, instead: string | undefined) =>
    `operator \`${sign}\` is not supported${instead === undefined ? '' : `: ${instead}`}`,
  rows: (clause: string) => `${clause} takes a whole number of rows`,
  negativeRows: (clause: string) => `${clause} must not be negative`,
};
