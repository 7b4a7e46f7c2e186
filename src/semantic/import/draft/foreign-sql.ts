import type { LexicalRules } from '../../../engine/text/lexical-rules.ts';
import { elementAt } from '../../../invariants/must.ts';
import { findAggregation } from '../../model/aggregate-functions.ts';
import type { AggregationType } from '../../model/model.ts';
import { printPieces, readModelExpression } from '../../model/read-model-expression.ts';
import { findCalls, scanExpression } from '../../model/scan-expression.ts';

/** A token of SQL with its text. */
export interface ForeignToken {
  readonly kind: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The words of a piece of SQL, without spaces and comments. */
export function listForeignTokens(text: string, lexicalRules: LexicalRules): readonly ForeignToken[] {
  return scanExpression(text, lexicalRules).tokens.map(({ kind, start, end }) => ({
    kind,
    text: text.slice(start, end),
    start,
    end,
  }));
}

/** The maximum length of an expression with substituted parts, in characters. */
const MAX_SQL_LENGTH = 100_000;

/** The new SQL of a span. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly sql: string;
}

/** Replaces spans of SQL, given in order; null if the result is too long. */
export function replaceSpans(text: string, replacements: readonly Replacement[]): string | null {
  const size = replacements.reduce(
    (sum, { start, end, sql }) => sum + sql.length - (end - start),
    text.length,
  );
  if (size > MAX_SQL_LENGTH) return null;
  let made = '';
  let at = 0;
  for (const { start, end, sql } of replacements) {
    made += text.slice(at, start) + sql;
    at = end;
  }
  return made + text.slice(at);
}

/** Wraps SQL so that it keeps its meaning next to operators: in parentheses unless it is one word. */
export function wrapSql(text: string): string {
  return /^[\p{L}_][\p{L}\p{N}_]*$|^\d+$/u.test(text) ? text : `(${text})`;
}

/** Combines conditions with AND; null without conditions. */
export function joinConditions(conditions: readonly string[]): string | null {
  if (conditions.length < 2) return conditions[0] ?? null;
  return conditions.map((condition) => `(${condition})`).join(' AND ');
}

/** A name, quoted if needed, as the qualifier of a column. */
export function quoteQualifier(name: string, { doubleQuotes }: LexicalRules): string {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return name;
  const quote = doubleQuotes === 'name' ? '"' : '`';
  return quote + name.replaceAll(quote, quote + quote) + quote;
}

/** The name in a word, without quotes; null if the word is not a name. */
export function readName({ kind, text }: ForeignToken): string | null {
  if (kind === 'word') return text;
  if (kind !== 'quoted-name') return null;
  const close = elementAt(text, -1);
  return text.slice(1, -1).replaceAll(close + close, close);
}

/** Whether SQL is only the name of a column. */
export function isColumn(text: string, lexicalRules: LexicalRules): boolean {
  const [word, ...more] = listForeignTokens(text, lexicalRules);
  return word !== undefined && more.length === 0 && readName(word) !== null;
}

/** A cast of one word: the words after AS are a type, not a column. */
const CAST = /^\s*((?:try_)?cast\(\s*)([^\s()]+)(\s+as\s+\w+(?: \w+)*(?:\([\d, ]*\))?\s*\))\s*$/i;

/** Qualifies all columns of SQL over one entity; null if it is not certain which words are columns. */
export function qualifySql(text: string, entity: string, lexicalRules: LexicalRules): string | null {
  const [, call, column, end] = CAST.exec(text) ?? [];
  if (column !== undefined && isColumn(column, lexicalRules))
    return `${call}${quoteQualifier(entity, lexicalRules)}.${column}${end}`;
  const { qualified } = readModelExpression(text, [entity], lexicalRules);
  return qualified === null ? null : printPieces(qualified, [quoteQualifier(entity, lexicalRules)]);
}

interface ReadAggregate {
  readonly aggregation: AggregationType;
  readonly expr: string;
}

/** Splits an expression with aggregates: one aggregation of an expression, or CUSTOM. Null without aggregates. */
export function readAggregate(sql: string, lexicalRules: LexicalRules): ReadAggregate | null {
  const text = unwrapSql(sql, lexicalRules);
  const calls = findCalls(scanExpression(text, lexicalRules));
  if (calls.every(({ kind }) => kind === 'scalar')) return null;
  const read = readCall(text, listForeignTokens(text, lexicalRules));
  return read === null
    ? { aggregation: 'CUSTOM', expr: text }
    : { ...read, expr: unwrapSql(read.expr, lexicalRules) };
}

function readCall(text: string, words: readonly ForeignToken[]): ReadAggregate | null {
  const [name, open, ...operands] = words;
  const aggregation = findAggregation(name?.text.toLowerCase() ?? '');
  if (aggregation === undefined || name?.kind !== 'word' || open?.text !== '(' || !isEnclosed(words.slice(1)))
    return null;
  const inner = operands.slice(0, -1);
  const isDistinct = inner[0]?.kind === 'word' && /^distinct$/i.test(inner[0].text);
  const [first] = isDistinct ? inner.slice(1) : inner;
  if (first === undefined || /^all$/i.test(first.text) || hasComma(inner)) return null;
  const expr = text.slice(first.start, elementAt(inner, -1).end);
  if (isDistinct)
    return aggregation === 'COUNT' && expr !== '*' ? { aggregation: 'COUNT_DISTINCT', expr } : null;
  return expr === '*' && aggregation !== 'COUNT' ? null : { aggregation, expr };
}

/** Whether the first word opens a parenthesis that the last one closes. */
function isEnclosed(words: readonly ForeignToken[]): boolean {
  let depth = 0;
  return words.every(({ text }, at) => {
    if (text === '(') depth += 1;
    if (text === ')') depth -= 1;
    return (depth === 0) === (at === words.length - 1);
  });
}

function hasComma(words: readonly ForeignToken[]): boolean {
  let depth = 0;
  return words.some(({ text }) => {
    if (text === '(') depth += 1;
    if (text === ')') depth -= 1;
    // ORDER BY belongs to the aggregate, not to its argument.
    return depth === 0 && (text === ',' || /^order$/i.test(text));
  });
}

/** Whether SQL contains a window function. */
export function hasWindow(text: string, lexicalRules: LexicalRules): boolean {
  const words = listForeignTokens(text, lexicalRules);
  return words.some(
    (word, at) => word.kind === 'word' && /^over$/i.test(word.text) && words[at + 1]?.text === '(',
  );
}

/** Removes parentheses around the whole SQL. */
export function unwrapSql(text: string, lexicalRules: LexicalRules): string {
  let words = listForeignTokens(text, lexicalRules);
  if (words.length < 3 || !isEnclosed(words)) return text;
  while (words.length > 2 && isEnclosed(words)) words = words.slice(1, -1);
  return text.slice(elementAt(words, 0).start, elementAt(words, -1).end);
}

/** A column name as SQL, quoted if needed. */
export function toColumn(name: string, { doubleQuotes }: LexicalRules): string {
  if (/^[\p{L}_][\p{L}\p{N}_$]*$/u.test(name) || /^(".*"|`.*`)$/s.test(name)) return name;
  const quote = doubleQuotes === 'name' ? '"' : '`';
  return quote + name.replaceAll(quote, quote + quote) + quote;
}
