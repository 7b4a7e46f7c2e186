import type { SqlLexis } from '../engine/text/sql-lexis.ts';
import { type SqlToken, scanSql } from '../engine/text/sql-scanner.ts';
import { modelFaults } from './model-faults.ts';

/** A piece of SQL in a model, cut into tokens without spaces and comments. */
export interface Expression {
  readonly text: string;
  readonly tokens: readonly SqlToken[];
  /** What keeps it from being a part of a statement; null for nothing. */
  readonly fault: string | null;
}

/** What a function call may be: of an aggregate, surely of none, or of a function that only its database knows. */
export interface Call {
  readonly kind: 'aggregate' | 'scalar' | 'unknown';
  /** As it is written, without its arguments. */
  readonly name: string;
}

/** Names of aggregates, on any platform; further ones begin or end with these (approx_count_distinct, sumIf). */
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

/** Functions of many platforms that aggregate nothing. */
const SCALARS = new Set(
  (
    'abs ceil ceiling floor round trunc truncate sign sqrt power pow exp ln log log10 mod greatest least coalesce ' +
    'nullif ifnull nvl iif if cast try_cast safe_cast convert concat lower upper trim ltrim rtrim length substr ' +
    'substring replace left right date_trunc date_part extract datediff date_diff dateadd date_add now year month ' +
    'day hour date timestamp datetime safe_divide div0'
  ).split(' '),
);

/** Words before a parenthesis that call nothing. */
const WORDS = new Set(
  (
    'and or not in when then else case on as between like ilike is distinct over filter group by any all some ' +
    'exists values select from where having end using interval within decimal numeric varchar char'
  ).split(' '),
);

/** Cuts a piece of SQL into tokens, and finds what would keep it from being a part of a statement. */
export function scanExpression(text: string, lexis: SqlLexis): Expression {
  const all = [...scanSql(text, lexis)];
  const tokens = all.filter(({ kind }) => kind !== 'space' && kind !== 'comment');
  return { text, tokens, fault: findFault(text, all) };
}

const ENDLESS: Readonly<Partial<Record<SqlToken['kind'], string>>> = {
  comment: 'a comment',
  'quoted-name': 'a quoted name',
};
const CLOSING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };
const OPENING = Object.values(CLOSING);

function findFault(text: string, tokens: readonly SqlToken[]): string | null {
  const open: string[] = [];
  for (const token of tokens) {
    const fault = findTokenFault(text, token) ?? findUnmatched(printToken(text, token), token, open);
    if (fault !== null) return fault;
  }
  if (open.length > 0) return modelFaults.parenthesis(open.at(-1)!);
  const isHiding = tokens.at(-1)?.kind === 'comment' && !text.endsWith('*/');
  return isHiding ? modelFaults.endsInComment() : null;
}

function findTokenFault(text: string, token: SqlToken): string | null {
  if (!token.terminated) return modelFaults.unfinishedSql(ENDLESS[token.kind] ?? 'a string');
  if (token.kind === 'parameter') return modelFaults.sqlParameter(printToken(text, token));
  return printToken(text, token) === ';' ? modelFaults.semicolon() : null;
}

/** Keeps in `open` what is open behind the token. */
function findUnmatched(sign: string, { kind }: SqlToken, open: string[]): string | null {
  if (kind !== 'punctuation') return null;
  if (OPENING.includes(sign)) open.push(sign);
  const opening = CLOSING[sign];
  return opening !== undefined && open.pop() !== opening ? modelFaults.parenthesis(sign) : null;
}

/** A type in angle brackets, with commas of its own: STRUCT<a INT64, b STRING>. */
const TYPED = /\b(?:array|map|struct)\s*</i;

/** Whether a sound expression is several, with commas between them. */
export function isList({ text, tokens }: Expression): boolean {
  let depth = 0;
  const hasComma = tokens.some((token) => {
    const sign = printToken(text, token);
    if (OPENING.includes(sign)) depth++;
    if (Object.hasOwn(CLOSING, sign)) depth--;
    return sign === ',' && depth === 0;
  });
  return hasComma && !TYPED.test(text);
}

/** The calls of a sound expression that belong to it itself: not those in sub-queries, and no window functions. */
export function findCalls({ text, tokens }: Expression): readonly Call[] {
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

/** The call whose arguments are in the parenthesis at `open`. */
function readCall(text: string, tokens: readonly SqlToken[], open: number): Call | null {
  const token = tokens[open - 1];
  if (token === undefined || (token.kind !== 'word' && token.kind !== 'quoted-name')) return null;
  const name = text.slice(token.start, token.end);
  const bare = (token.kind === 'word' ? name : name.slice(1, -1)).toLowerCase();
  if (token.kind === 'word' && WORDS.has(bare)) return null;
  if (printToken(text, tokens[open - 2]) === '.') return { kind: 'unknown', name };
  if (AGGREGATES.has(bare) || AGGREGATE_FORM.test(bare)) {
    return isWindow(text, tokens, open) ? null : { kind: 'aggregate', name };
  }
  return { kind: SCALARS.has(bare) ? 'scalar' : 'unknown', name };
}

/** Whether OVER follows a call, be it after FILTER (…), WITHIN GROUP (…) or IGNORE NULLS. */
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

function beginsQuery(text: string, token: SqlToken | undefined): boolean {
  return ['select', 'with', 'values', 'from'].includes(printToken(text, token).toLowerCase());
}

function findClosing(text: string, tokens: readonly SqlToken[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at++) {
    const token = printToken(text, tokens[at]);
    if (token === '(') depth++;
    if (token === ')' && --depth === 0) return at;
  }
  return tokens.length;
}

/** The names by which columns are qualified: `a` of `a.b`, but not of `a.b.c` or `a.f(…)`. */
export function findQualifiers({ text, tokens }: Expression): readonly string[] {
  const isName = (token: SqlToken | undefined) => token?.kind === 'word' || token?.kind === 'quoted-name';
  return tokens.flatMap((token, at) => {
    const isQualified = isName(token) && printToken(text, tokens[at + 1]) === '.' && isName(tokens[at + 2]);
    if (!isQualified || printToken(text, tokens[at - 1]) === '.') return [];
    if (['.', '('].includes(printToken(text, tokens[at + 3]))) return [];
    return [readName(text.slice(token.start, token.end), token.kind)];
  });
}

/** A name without its quotes, and with what they escape. */
function readName(name: string, kind: SqlToken['kind']): string {
  const close = name.at(-1)!;
  return kind === 'word' ? name : name.slice(1, -1).replaceAll(close + close, close);
}

function printToken(text: string, token: SqlToken | undefined): string {
  return token === undefined ? '' : text.slice(token.start, token.end);
}
