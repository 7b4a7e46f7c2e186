import { findFirstWord } from '../../text/first-word.ts';
import type { LexicalRules } from '../../text/lexical-rules.ts';
import { scanSql } from '../../text/sql-scanner.ts';
import { MAX_INLINE_LENGTH } from './compose.ts';

const BEGINNINGS = new Set(['select', 'with', 'from', 'values', 'table', 'pivot', 'unpivot', '(']);
const WRITERS = new Set(['insert', 'update', 'delete', 'merge']);
const CHANGERS = new Set([...WRITERS, 'replace']);
const COUNTERS = new Set([...CHANGERS, 'copy']);
const ANALYSES = new Set(['analyze', 'analyse']);
/** Words of statements that an EXPLAIN can run, and that are not queries. */
const EXPLAINED_WRITERS = new Set([
  ...COUNTERS,
  'call',
  'create',
  'execute',
  'refresh',
  'set',
  'reset',
  'into',
]);
const RETURNING = new Set(['returning']);
const ROW_STATEMENTS = new Set(['explain', 'describe', 'show', 'summarize']);

/** Whether a statement is a query, by its first word: a query can be part of another statement. */
export function isQuery(statement: string, lexicalRules: LexicalRules): boolean {
  return BEGINNINGS.has(findFirstWord(statement, lexicalRules));
}

/** Whether a statement that is not a query certainly returns rows, even if it changes data first. */
export function returnsRows(statement: string, lexicalRules: LexicalRules): boolean {
  const first = findFirstWord(statement, lexicalRules);
  if (ROW_STATEMENTS.has(first)) return true;
  return CHANGERS.has(first) && isShort(statement) && hasWord(statement, RETURNING, lexicalRules);
}

/** Whether a statement can change data that others read: it is not a query, or contains a statement that writes. */
export function mayWrite(statement: string, lexicalRules: LexicalRules): boolean {
  const first = findFirstWord(statement, lexicalRules);
  if (first === 'explain') return !isShort(statement) || runsExplained(statement, lexicalRules);
  if (!BEGINNINGS.has(first)) return true;
  if (!/^with\b/i.test(statement)) return false;
  return !isShort(statement) || hasWord(statement, WRITERS, lexicalRules);
}

/** Whether an EXPLAIN runs a statement that is not a query. */
function runsExplained(statement: string, lexicalRules: LexicalRules): boolean {
  return hasWord(statement, ANALYSES, lexicalRules) && hasWord(statement, EXPLAINED_WRITERS, lexicalRules);
}

/** Whether the number of changed rows is the result of a statement that returns no rows. */
export function countsRows(statement: string, lexicalRules: LexicalRules): boolean {
  const first = findFirstWord(statement, lexicalRules);
  return COUNTERS.has(first) || (first === 'with' && mayWrite(statement, lexicalRules));
}

/** Longer statements are not scanned completely. */
function isShort(statement: string): boolean {
  return statement.length <= MAX_INLINE_LENGTH;
}

/** Whether a statement contains one of the words. */
function hasWord(statement: string, words: ReadonlySet<string>, lexicalRules: LexicalRules): boolean {
  return listWords(statement, lexicalRules).some((word) => words.has(word));
}

function* listWords(statement: string, lexicalRules: LexicalRules): Generator<string, undefined> {
  for (const { kind, start, end } of scanSql(statement, lexicalRules)) {
    if (kind !== 'space' && kind !== 'comment') yield statement.slice(start, end).toLowerCase();
  }
}
