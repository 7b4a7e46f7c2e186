import type { LexicalRules } from '../../engine/text/lexical-rules.ts';
import { type SqlToken, scanSql } from '../../engine/text/sql-scanner.ts';
import { elementAt, present } from '../../invariants/must.ts';
import { modelMessages } from './model-messages.ts';

/** SQL of a model, split into tokens without whitespace and comments. */
export interface ScannedExpression {
  readonly text: string;
  readonly tokens: readonly SqlToken[];
  /** Why it cannot be part of a statement; null if it can. */
  readonly error: string | null;
}

/** The kind of a call: an aggregate, certainly not an aggregate, or unknown (only the database knows). */
interface Call {
  readonly kind: 'aggregate' | 'scalar' | 'unknown';
  /** As written, without its arguments. */
  readonly name: string;
}

/** Names of aggregates on all platforms. Other aggregates start or end with these (approx_count_distinct, sumIf). */
const AGGREGATES = new Set(
  (
    'any_value approx_distinct approx_quantile approx_top_k arbitrary arg_max arg_min argmax argmin array_agg ' +
    'avg bit_and bit_or bit_xor bitstring_agg bool_and bool_or checksum collect_list collect_set corr count ' +
    'count_big count_distinct count_if count_star countif covar_pop covar_samp entropy every favg first first_value ' +
    'fsum geometric_mean group_array group_concat grouparray histogram json_agg json_arrayagg json_group_array ' +
    'json_object_agg jsonb_agg kurtosis last last_value list listagg logical_and logical_or mad map_agg max max_by ' +
    'maxmap mean median min min_by minmap mode percentile percentile_approx percentile_cont percentile_disc ' +
    'product quantile quantile_cont quantile_disc regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope ' +
    'reservoir_quantile sem skewness std stddev stddev_pop stddev_samp stdev stdevp string_agg sum sum_no_overflow ' +
    'sumkahan sumwithoverflow topk uniq uniqexact var var_pop var_samp variance varp xmlagg'
  ).split(' '),
);
const AGGREGATE_FORM =
  /^(approx(imate)?_(count|percentile|most|median|top)\w*|(count|sum|avg|min|max|any)if)$/;

/** Scalar functions of many platforms. */
const SCALARS = new Set(
  (
    'abs ceil ceiling floor round trunc truncate sign sqrt power pow exp ln log log10 mod greatest least coalesce ' +
    'nullif ifnull nvl iif if cast try_cast safe_cast convert concat lower upper trim ltrim rtrim length substr ' +
    'substring replace left right date_trunc date_part extract datediff date_diff dateadd date_add now year month ' +
    'day hour date timestamp datetime safe_divide div0'
  ).split(' '),
);

/** Words before a parenthesis that are not calls. */
const WORDS = new Set(
  (
    'and or not in when then else case on as between like ilike is distinct over filter group by any all some ' +
    'exists values select from where having end using interval within decimal numeric varchar char'
  ).split(' '),
);

/** Splits SQL into tokens, and finds errors that prevent it from being part of a statement. */
export function scanExpression(text: string, lexicalRules: LexicalRules): ScannedExpression {
  const all = [...scanSql(text, lexicalRules)];
  const tokens = all.filter(({ kind }) => kind !== 'space' && kind !== 'comment');
  return { text, tokens, error: findError(text, all) };
}

const ENDLESS: Readonly<Partial<Record<SqlToken['kind'], string>>> = {
  comment: 'a comment',
  'quoted-name': 'a quoted name',
};
const CLOSING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };
const OPENING = Object.values(CLOSING);

function findError(text: string, tokens: readonly SqlToken[]): string | null {
  const open: string[] = [];
  for (const token of tokens) {
    const error = findTokenError(text, token) ?? findUnmatched(printToken(text, token), token, open);
    if (error !== null) return error;
  }
  if (open.length > 0) return modelMessages.parenthesis(elementAt(open, -1));
  const isHiding = tokens.at(-1)?.kind === 'comment' && !text.endsWith('*/');
  return isHiding ? modelMessages.endsInComment() : null;
}

function findTokenError(text: string, token: SqlToken): string | null {
  if (!token.terminated) return modelMessages.unfinishedSql(ENDLESS[token.kind] ?? 'a string');
  if (token.kind === 'parameter') return modelMessages.sqlParameter(printToken(text, token));
  return printToken(text, token) === ';' ? modelMessages.semicolon() : null;
}

/** Updates `open`, the signs that are open after the token. */
function findUnmatched(sign: string, { kind }: SqlToken, open: string[]): string | null {
  if (kind !== 'punctuation') return null;
  if (OPENING.includes(sign)) open.push(sign);
  const opening = CLOSING[sign];
  return opening !== undefined && open.pop() !== opening ? modelMessages.parenthesis(sign) : null;
}

/** A type in angle brackets, which can contain commas: STRUCT<a INT64, b STRING>. */
const TYPED = /\b(?:array|map|struct)\s*</i;

/** Whether a valid expression is a list with commas. */
export function isCommaList({ text, tokens }: ScannedExpression): boolean {
  let depth = 0;
  const hasComma = tokens.some((token) => {
    const sign = printToken(text, token);
    if (OPENING.includes(sign)) depth++;
    if (Object.hasOwn(CLOSING, sign)) depth--;
    return sign === ',' && depth === 0;
  });
  return hasComma && !TYPED.test(text);
}

/** The calls of a valid expression, without those in sub-queries and without window functions. */
export function findCalls({ text, tokens }: ScannedExpression): readonly Call[] {
  const calls: Call[] = [];
  for (let at = 0; at < tokens.length; at++) {
    if (printToken(text, tokens[at]) !== '(') continue;
    if (beginsQuery(text, tokens[at + 1])) {
      at = findClosing(text, tokens, at);
      continue;
    }
    const call = readCall(text, tokens, at);
    if (call !== null) calls.push(call);
  }
  return calls;
}

/** The call whose arguments start at the parenthesis `open`. */
function readCall(text: string, tokens: readonly SqlToken[], open: number): Call | null {
  const token = tokens[open - 1];
  if (!isNameToken(token)) return null;
  const name = text.slice(token.start, token.end);
  const bare = (token.kind === 'word' ? name : name.slice(1, -1)).toLowerCase();
  if (token.kind === 'word' && WORDS.has(bare)) return null;
  if (printToken(text, tokens[open - 2]) === '.') return { kind: 'unknown', name };
  if (AGGREGATES.has(bare) || AGGREGATE_FORM.test(bare)) {
    return isWindow(text, tokens, open) ? null : { kind: 'aggregate', name };
  }
  return { kind: SCALARS.has(bare) ? 'scalar' : 'unknown', name };
}

/** Whether OVER follows a call, directly or after FILTER (…), WITHIN GROUP (…) or IGNORE NULLS. */
function isWindow(text: string, tokens: readonly SqlToken[], open: number): boolean {
  let at = findClosing(text, tokens, open) + 1;
  for (;;) {
    const word = printToken(text, tokens[at]).toLowerCase();
    if (word === 'over') return true;
    if (word === '(') at = findClosing(text, tokens, at) + 1;
    else if (['filter', 'within', 'group', 'ignore', 'respect', 'nulls'].includes(word)) at++;
    else return false;
  }
}

/** The function of the first window function outside sub-queries, as written; null without one. */
export function findWindowFunction({ text, tokens }: ScannedExpression): string | null {
  for (let at = 0; at < tokens.length; at++) {
    const word = printToken(text, tokens[at]);
    if (word === '(' && beginsQuery(text, tokens[at + 1])) at = findClosing(text, tokens, at);
    const isName = isNameToken(tokens[at]) && printToken(text, tokens[at + 1]) === '(';
    if (isName && isWindow(text, tokens, at + 1)) return printToken(text, tokens[at]);
  }
  return null;
}

/** A comparison with a text literal; both sides as written. */
interface TextComparison {
  readonly literal: string;
  readonly operand: string;
}

const EXACT_WORDS: ReadonlySet<string> = new Set(['binary', '_binary', 'collate']);
const COMPARISONS: ReadonlySet<string> = new Set(['=', '<', '>', 'like', 'between']);

/** The first comparison with a text literal that contains letters and has no collation; null without one. */
export function findTextComparison({ text, tokens }: ScannedExpression): TextComparison | null {
  const words = tokens.map((token) => printToken(text, token).toLowerCase());
  if (words.some((word) => EXACT_WORDS.has(word))) return null;
  for (const [at, { kind, start, end }] of tokens.entries()) {
    const literal = text.slice(start, end);
    if (kind !== 'string' || !/\p{L}/u.test(literal.replace(/^\w+(?=')/, ''))) continue;
    const compared = findComparison(words, at);
    if (compared !== null) return { literal, operand: readOperand(text, tokens, compared) };
  }
  return null;
}

/** The start of the comparison whose right side contains a token; null without one. */
function findComparison(words: readonly string[], at: number): number | null {
  const isCommaList = words[at - 1] === '(' || words[at - 1] === ',';
  const open = isCommaList ? words.lastIndexOf('(', at) : at;
  const before = isCommaList && words[open - 1] === 'in' ? open - 1 : at - 1;
  if (words[before] !== 'in' && !COMPARISONS.has(words[before] ?? '')) return null;
  let first = before;
  while (['=', '<', '>', '!', 'not'].includes(words[first - 1] ?? '')) first -= 1;
  return first;
}

/** The column before a location, with its qualifier; `…` for any other operand. */
function readOperand(text: string, tokens: readonly SqlToken[], end: number): string {
  let start = end - 1;
  if (!isNameToken(tokens[start])) return '…';
  while (printToken(text, tokens[start - 1]) === '.' && isNameToken(tokens[start - 2])) start -= 2;
  return text.slice(elementAt(tokens, start).start, elementAt(tokens, end - 1).end);
}

function isNameToken(token: SqlToken | undefined): token is SqlToken {
  return token?.kind === 'word' || token?.kind === 'quoted-name';
}

function beginsQuery(text: string, token: SqlToken | undefined): boolean {
  return ['select', 'with', 'values', 'from'].includes(printToken(text, token).toLowerCase());
}

/** The closing parenthesis of each opening one, by index; a cache per expression. */
const closings = new WeakMap<readonly SqlToken[], ReadonlyMap<number, number>>();

function findClosing(text: string, tokens: readonly SqlToken[], open: number): number {
  const known = closings.get(tokens) ?? findClosings(text, tokens);
  closings.set(tokens, known);
  return known.get(open) ?? tokens.length;
}

function findClosings(text: string, tokens: readonly SqlToken[]): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>();
  const open: number[] = [];
  for (const [at, token] of tokens.entries()) {
    const sign = printToken(text, token);
    if (sign === '(') open.push(at);
    else if (sign === ')' && open.length > 0) pairs.set(present(open.pop()), at);
  }
  return pairs;
}

/** A column with its qualifier, without quotes, and as written. */
export interface QualifiedColumn {
  readonly qualifier: string;
  readonly column: string;
  readonly written: string;
}

/** The columns with exactly one qualifier: `a.b`, but not `a.b.c`, `a.f(…)` or columns in sub-queries. */
export function findQualifiedColumns({ text, tokens }: ScannedExpression): readonly QualifiedColumn[] {
  const columns: QualifiedColumn[] = [];
  for (let at = 0; at < tokens.length; at++) {
    if (printToken(text, tokens[at]) === '(' && beginsQuery(text, tokens[at + 1])) {
      at = findClosing(text, tokens, at);
      continue;
    }
    const [qualifier, column] = [tokens[at], tokens[at + 2]];
    if (!isNameToken(qualifier) || printToken(text, tokens[at + 1]) !== '.' || !isNameToken(column)) continue;
    if (printToken(text, tokens[at - 1]) === '.') continue;
    if (['.', '('].includes(printToken(text, tokens[at + 3]))) continue;
    columns.push({
      qualifier: readName(text, qualifier),
      column: readName(text, column),
      written: text.slice(qualifier.start, column.end),
    });
  }
  return columns;
}

/** A name without quotes and escapes. */
function readName(text: string, { start, end, kind }: SqlToken): string {
  const name = text.slice(start, end);
  const close = elementAt(name, -1);
  return kind === 'word' ? name : name.slice(1, -1).replaceAll(close + close, close);
}

function printToken(text: string, token: SqlToken | undefined): string {
  return token === undefined ? '' : text.slice(token.start, token.end);
}
