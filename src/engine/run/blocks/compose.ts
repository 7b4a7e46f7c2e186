import { elementAt, entryOf } from '../../../invariants/must.ts';
import type { Statement } from '../../script/evaluate/steps.ts';
import { createScriptError, describeDefinition } from '../../script/program/program.ts';
import type { BlockCall } from '../../script/values/request.ts';
import { type Interruptible, isPause } from '../../text/interruptible.ts';
import type { LexicalRules } from '../../text/lexical-rules.ts';
import { scanSql } from '../../text/sql-scanner.ts';

/** A named query, which becomes a part of a statement. */
export interface NamedQuery {
  readonly name: string;
  readonly query: Statement;
  /** Whether it must be computed only once, even if it is read several times. */
  readonly isOnce: boolean;
}

/**
 * Maximum length, in characters, of a query inside a statement, and of a statement that contains one. For longer ones,
 * views and tables are created, and they are scanned in pieces or not at all.
 */
export const MAX_INLINE_LENGTH = 256 * 1024;
/** Number of words at the start of a statement that are read to find the object that it creates. */
const HEAD = 32;
/** First words of a query before which a WITH clause is possible. */
const QUERY_STARTS = new Set(['select', 'from', 'values', 'table', '(', 'with', 'pivot', 'unpivot']);
/** First words of the query of an INSERT. */
const INSERTED = new Set(['select', 'with', 'table']);
/** First words of a query after EXPLAIN and its options. */
const EXPLAINED = new Set(['select', 'from', 'values', 'with']);
/** Words that can appear between CREATE and TABLE or VIEW. */
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

/** Joins parts to one statement. Errors are located in the source of the part. */
export function joinStatements(parts: readonly (string | Statement)[], main: Statement): Statement {
  const pieces: { readonly at: number; readonly part: Statement }[] = [];
  let sql = '';
  for (const part of parts) {
    if (typeof part === 'string') {
      sql += part;
    } else {
      pieces.push({ at: sql.length, part });
      sql += part.sql;
    }
  }
  const start = pieces.find(({ part }) => part === main)?.at ?? 0;
  return {
    sql,
    start: start + main.start,
    findOrigin({ start, end }) {
      const piece = pieces.findLast(({ at }) => at <= start) ?? elementAt(pieces, 0);
      const clamp = (offset: number) => Math.min(Math.max(offset - piece.at, 0), piece.part.sql.length);
      return piece.part.findOrigin({ start: clamp(start), end: clamp(end) });
    },
  };
}

/**
 * Inserts named queries into a statement as common table expressions; each query can read the earlier ones. Null if the
 * statement cannot have them.
 */
export function compose(
  statement: Statement,
  namedQueries: readonly NamedQuery[],
  lexicalRules: LexicalRules,
): Statement | null {
  if (namedQueries.length === 0) return statement;
  const insertion = findInsertion(listWords(statement.sql, lexicalRules));
  if (insertion === null) return null;
  const queries = namedQueries.flatMap(({ name, query, isOnce }, i) => [
    `${i === 0 ? '' : ', '}${name} AS ${isOnce ? 'MATERIALIZED ' : ''}(`,
    query,
    '\n)',
  ]);
  const [before, after] = cut(statement, insertion.at);
  const main = statement.start < before.sql.length ? before : after;
  const parts = insertion.isFirst ? ['WITH ', ...queries, '\n'] : [' ', ...queries, ','];
  return joinStatements([before, ...parts, after], main);
}

/**
 * The position of an unclosed quote, comment or parenthesis, or of a closing parenthesis without an opening one, which
 * would change the meaning of SQL between parentheses; null if there is no such position.
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

/** Whether a string contains one of the names, as an argument of a function that resolves names itself. */
export function isInString(names: readonly string[], sql: string, lexicalRules: LexicalRules): boolean {
  if (!names.some((name) => sql.includes(name))) return false;
  for (const { kind, start, end } of scanSql(sql, lexicalRules)) {
    if (kind !== 'string' && kind !== 'dollar-quote') continue;
    const text = sql.slice(start, end);
    if (names.some((name) => text.includes(name))) return true;
  }
  return false;
}

/** Replaces names, which are unlike any other text, with SQL for them. */
export function replaceNames(statement: Statement, names: ReadonlyMap<string, string>): Statement {
  if (names.size === 0) return statement;
  const pattern = new RegExp(`\\b(?:${[...names.keys()].join('|')})\\b`, 'g');
  const parts: (string | Statement)[] = [];
  let remaining = statement;
  let passed = 0;
  let { start } = statement;
  for (const { 0: name, index } of statement.sql.matchAll(pattern)) {
    const [before, after] = cut(remaining, index - passed);
    const sql = entryOf(names, name);
    parts.push(before, sql);
    if (index < statement.start) start += sql.length - name.length;
    remaining = cut(after, name.length)[1];
    passed = index + name.length;
  }
  return { ...joinStatements([...parts, remaining], remaining), start };
}

/** Splits a statement at an offset. */
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

/** Where common table expressions can be inserted, and whether they need a new WITH; null if they cannot. */
function findInsertion(words: readonly Word[]): { readonly at: number; readonly isFirst: boolean } | null {
  const first = findQuery(words);
  const word = words[first];
  if (word === undefined || !QUERY_STARTS.has(word.text)) return null;
  if (word.text !== 'with') {
    // WITH cannot be followed by another WITH in parentheses.
    const inner = words.find(({ text }, i) => i >= first && text !== '(');
    return inner?.text === 'with' ? null : { at: word.start, isFirst: true };
  }
  // With RECURSIVE, queries can see names of the statement that are declared after them.
  if (words[first + 1]?.text === 'recursive' || isFunction(words, first + 1)) return null;
  return { at: word.end, isFirst: false };
}

/** Whether a query declares a function here (`WITH FUNCTION f() …`), not a query of that name. */
function isFunction(words: readonly Word[], at: number): boolean {
  return words[at]?.text === 'function' && words[at + 2]?.text === '(' && words[at + 1]?.text !== 'as';
}

/**
 * The index of the first word of a statement's query: after AS if the statement creates a table or view, after the
 * table if it inserts rows, after EXPLAIN if it explains a query.
 */
function findQuery(words: readonly Word[]): number {
  if (words[0]?.text === 'explain') return findOutside(words, 1, EXPLAINED);
  if (words[0]?.text === 'insert') return findOutside(words, 2, INSERTED);
  if (words[0]?.text !== 'create') return 0;
  const object = findObject(words);
  if (!['table', 'view'].includes(words[object]?.text ?? '')) return -1;
  const as = findOutside(words, object, new Set(['as']));
  return as === -1 ? -1 : as + 1;
}

/** The index of the first of some words outside parentheses; -1 if no word is found. */
function findOutside(words: readonly Word[], start: number, wanted: ReadonlySet<string>): number {
  let depth = 0;
  for (let i = start; i < words.length; i += 1) {
    const { text } = elementAt(words, i);
    if (depth === 0 && wanted.has(text)) return i;
    depth += DEPTHS[text] ?? 0;
  }
  return -1;
}

/** The index of the word after CREATE that names the kind of object. */
function findObject(words: readonly Word[]): number {
  return words.findIndex(({ text }, i) => i > 0 && !KINDS.has(text));
}

/** Whether a statement creates a view, which exists longer than the temporary objects of the statement. */
export function makesView(sql: string, lexicalRules: LexicalRules): boolean {
  if (!/^create\b/i.test(sql)) return false;
  const words = listHead(sql, lexicalRules);
  return words[findObject(words)]?.text === 'view';
}

/** Whether a statement creates an object that ends with the session, by its text. */
export function makesTemporary(sql: string): boolean {
  return /^create\s+(?:or\s+replace\s+)?(?:local\s+|global\s+)?temp(?:orary)?\b/i.test(sql);
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

/** Whether a statement contains a name, given in lower case. */
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

/** The first words of a statement. */
function listHead(sql: string, lexicalRules: LexicalRules): readonly Word[] {
  return [...scanWords(sql, lexicalRules).take(HEAD)];
}

function* scanWords(sql: string, lexicalRules: LexicalRules): Generator<Word, void, undefined> {
  for (const { kind, start, end } of scanSql(sql, lexicalRules)) {
    if (kind !== 'space' && kind !== 'comment')
      yield { text: sql.slice(start, end).toLowerCase(), start, end };
  }
}

/** A query for a call; `isOnce` if it, or a query that it reads, can return different rows the next time. */
export interface CalledQuery extends NamedQuery {
  readonly call: BlockCall;
}

/**
 * For databases that run a query again for each reference: rejects queries that must run once and have more than one
 * reference. Throws a DiagnosticError.
 */
export function checkReadOnce(main: Statement, namedQueries: readonly CalledQuery[]): void {
  const texts = [...namedQueries.map(({ query }) => query.sql), main.sql];
  for (const { name, isOnce, call } of namedQueries) {
    if (!isOnce || countWord(texts, name) < 2) continue;
    const { block, site } = call;
    const message = `${describeDefinition(block)} can return different rows each time, and this database cannot compute it once for a view that reads it several times: publish it as a table`;
    throw createScriptError(site.file.file, site, message);
  }
}

/** Whether a statement reads a query that must run only once. */
export function readsOnce({ sql }: Statement, namedQueries: readonly NamedQuery[]): boolean {
  return namedQueries.some(({ name, isOnce }) => isOnce && countWord([sql], name) > 0);
}

export function countWord(texts: readonly string[], word: string): number {
  const pattern = new RegExp(`\\b${word}\\b`, 'g');
  return texts.reduce((sum, text) => sum + (text.match(pattern)?.length ?? 0), 0);
}
