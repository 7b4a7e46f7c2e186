import { elementAt } from '../../../invariants/must.ts';
import type { Statement } from '../../script/evaluate/steps.ts';
import { type Interruptible, isPause } from '../../text/interruptible.ts';
import type { LexicalRules } from '../../text/lexical-rules.ts';
import { scanSql } from '../../text/sql-scanner.ts';

/** A query under a name, for the statement that it becomes a part of. */
export interface NamedQuery {
  readonly name: string;
  readonly query: Statement;
  /** Whether it has to be computed once, however often it is read. */
  readonly isOnce: boolean;
}

/**
 * Characters of a query that may stand inside of a statement, and of a statement that may hold one; behind longer ones
 * stand views and tables, and they are read in pieces or not at all.
 */
export const MAX_INSIDE = 256 * 1024;
/** Words of a statement that may say what it makes. */
const HEAD = 32;
/** Words with which a query begins that can hold others before it. */
const HOLDERS = new Set(['select', 'from', 'values', 'table', '(', 'with', 'pivot', 'unpivot']);
/** Words that may stand between CREATE and TABLE or VIEW. */
const KINDS = new Set([
  'or',
  'replace',
  'temp',
  'temporary',
  'local',
  'global',
  'unlogged',
  'persistent',
  'materialized',
]);
const DEPTHS: Readonly<Record<string, number>> = { '(': 1, ')': -1 };

/** One statement of parts, in which an error is placed where the author of its part wrote it. */
export function joinStatements(parts: readonly (string | Statement)[], main: Statement): Statement {
  const placed: { readonly at: number; readonly part: Statement }[] = [];
  let sql = '';
  for (const part of parts) {
    if (typeof part === 'string') {
      sql += part;
    } else {
      placed.push({ at: sql.length, part });
      sql += part.sql;
    }
  }
  const start = placed.find(({ part }) => part === main)?.at ?? 0;
  return {
    sql,
    start: start + main.start,
    findOrigin({ start, end }) {
      const own = placed.findLast(({ at }) => at <= start) ?? elementAt(placed, 0);
      const clamp = (offset: number) => Math.min(Math.max(offset - own.at, 0), own.part.sql.length);
      return own.part.findOrigin({ start: clamp(start), end: clamp(end) });
    },
  };
}

/**
 * A statement with queries in it, each of which the later ones may read; null where its text has no place for
 * them.
 */
export function compose(
  statement: Statement,
  named: readonly NamedQuery[],
  lexicalRules: LexicalRules,
): Statement | null {
  if (named.length === 0) return statement;
  const place = findPlace(listWords(statement.sql, lexicalRules));
  if (place === null) return null;
  const queries = named.flatMap(({ name, query, isOnce }, i) => [
    `${i === 0 ? '' : ', '}${name} AS ${isOnce ? 'MATERIALIZED ' : ''}(`,
    query,
    '\n)',
  ]);
  const [before, rest] = cut(statement, place.at);
  const main = statement.start < before.sql.length ? before : rest;
  const parts = place.isFirst ? ['WITH ', ...queries, '\n'] : [' ', ...queries, ','];
  return joinStatements([before, ...parts, rest], main);
}

/**
 * Where a text has a quote, comment or parenthesis that does not end in it, or the end of one that does not
 * begin in it, so that it would be another between parentheses; null where nowhere.
 */
export function findLoose(sql: string, lexicalRules: LexicalRules): number | null {
  const open: number[] = [];
  for (const { kind, start, terminated } of scanSql(sql, lexicalRules)) {
    if (!terminated) return start;
    if (kind !== 'punctuation') continue;
    const mark = sql.charAt(start);
    if (mark === '(') open.push(start);
    if (mark === ')' && open.pop() === undefined) return start;
  }
  return open.at(-1) ?? null;
}

/** Whether a name stands in a string, as functions take it that look it up themselves. */
export function isInString(names: readonly string[], sql: string, lexicalRules: LexicalRules): boolean {
  if (!names.some((name) => sql.includes(name))) return false;
  for (const { kind, start, end } of scanSql(sql, lexicalRules)) {
    if (kind !== 'string' && kind !== 'dollar-quote') continue;
    const text = sql.slice(start, end);
    if (names.some((name) => text.includes(name))) return true;
  }
  return false;
}

/** A statement in two, at one place in its text. */
function cut({ sql, start, findOrigin }: Statement, at: number): readonly [Statement, Statement] {
  const after: Statement = {
    sql: sql.slice(at),
    start: Math.max(start - at, 0),
    findOrigin: (span) => findOrigin({ start: span.start + at, end: span.end + at }),
  };
  return [{ sql: sql.slice(0, at), start, findOrigin }, after];
}

interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Where queries may stand in a statement, and whether they are the first there; null where nowhere. */
function findPlace(words: readonly Word[]): { readonly at: number; readonly isFirst: boolean } | null {
  const first = findQuery(words);
  const own = words[first];
  if (own === undefined || !HOLDERS.has(own.text)) return null;
  if (own.text !== 'with') {
    // Behind one WITH there is no other in parentheses.
    const inner = words.find(({ text }, i) => i >= first && text !== '(');
    return inner?.text === 'with' ? null : { at: own.start, isFirst: true };
  }
  // Below RECURSIVE the statement's own names may be seen by queries that stand before them.
  return words[first + 1]?.text === 'recursive' ? null : { at: own.end, isFirst: false };
}

/**
 * Which of its words a statement's query begins with: that of a table or view to be made stands behind AS, and one that is
 * explained behind EXPLAIN.
 */
function findQuery(words: readonly Word[]): number {
  if (words[0]?.text === 'explain') return 1;
  if (words[0]?.text !== 'create') return 0;
  const object = findObject(words);
  if (!['table', 'view'].includes(words[object]?.text ?? '')) return -1;
  let depth = 0;
  for (let i = object; i < words.length; i += 1) {
    const { text } = elementAt(words, i);
    if (depth === 0 && text === 'as') return i + 1;
    depth += DEPTHS[text] ?? 0;
  }
  return -1;
}

/** Which word behind CREATE says what is made. */
function findObject(words: readonly Word[]): number {
  return words.findIndex(({ text }, i) => i > 0 && !KINDS.has(text));
}

/** Whether a statement makes a view, which lives longer than what is made for the statement. */
export function makesView(sql: string, lexicalRules: LexicalRules): boolean {
  if (!/^create\b/i.test(sql)) return false;
  const words = listHead(sql, lexicalRules);
  return words[findObject(words)]?.text === 'view';
}

/** The name in lower case, without a schema, of the new object that a statement creates; null for other statements. */
export function findMade(sql: string, lexicalRules: LexicalRules): string | null {
  if (!/^create\b/i.test(sql)) return null;
  const words = listHead(sql, lexicalRules);
  const object = findObject(words);
  if (words[1]?.text === 'or' || object === -1) return null;
  let at = object + 1;
  if (words[at]?.text === 'if') at += 'if not exists'.split(' ').length;
  while (words[at + 1]?.text === '.') at += 2;
  const name = words[at];
  return name === undefined ? null : toName(name.text);
}

/** Whether a text has a name, which is in lower case. */
export function* hasName(
  { sql }: Statement,
  name: string,
  lexicalRules: LexicalRules,
): Interruptible<boolean> {
  let passed = 0;
  for (const { start, end } of scanSql(sql, lexicalRules)) {
    passed += 1;
    if (isPause(passed)) yield;
    if (toName(sql.slice(start, end).toLowerCase()) === name) return true;
  }
  return false;
}

function toName(text: string): string {
  return text.replace(/^["`]|["`]$/g, '');
}

function listWords(sql: string, lexicalRules: LexicalRules): readonly Word[] {
  return [...scanWords(sql, lexicalRules)];
}

/** The words that a statement begins with. */
function listHead(sql: string, lexicalRules: LexicalRules): readonly Word[] {
  return [...scanWords(sql, lexicalRules).take(HEAD)];
}

function* scanWords(sql: string, lexicalRules: LexicalRules): Generator<Word, void, undefined> {
  for (const { kind, start, end } of scanSql(sql, lexicalRules)) {
    if (kind !== 'space' && kind !== 'comment')
      yield { text: sql.slice(start, end).toLowerCase(), start, end };
  }
}
