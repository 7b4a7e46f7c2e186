import duckdb from '@duckdb/node-bindings';

import { findFirstWord } from '../../../text/first-word.ts';
import { duckdbRules } from '../../../text/lexical-rules.ts';
import { scanSql } from '../../../text/sql-scanner.ts';

const { StatementType: Type } = duckdb;

const GROWING = ['insert', 'update', 'merge', 'create', 'alter'];
/** First words of statements that may contain or run a statement that grows the database. */
const HOLDING = ['with', 'explain'];
/** Statements that free whole objects and are fast to write. */
const DROPPING: readonly duckdb.StatementType[] = [Type.DROP, Type.ALTER];
const CHANGING: readonly duckdb.StatementType[] = [Type.DELETE, Type.UPDATE, Type.MERGE_INTO, Type.EXPLAIN];
const TEMPORARY = ['temp', 'temporary'];

/** Whether a statement may grow a database; statements about temporary objects do not. */
export function mayGrow(statement: string): boolean {
  const first = findFirstWord(statement, duckdbRules);
  if (first === 'create') return !isTemporary(statement);
  if (GROWING.includes(first)) return true;
  return HOLDING.includes(first) && /\b(?:insert|update|merge|create|alter)\b/i.test(statement);
}

/** Whether a statement may replace values; the engine stores old and new values until the commit. */
export function mayUpdate(statement: string): boolean {
  return /\b(?:update|merge)\b/i.test(statement);
}

/** What a statement may free in a file: whole objects, or some of their rows. */
export function findFreed(statement: string, type: duckdb.StatementType): 'objects' | 'rows' | null {
  if (DROPPING.includes(type) || (type === Type.CREATE && /\breplace\b/i.test(statement))) return 'objects';
  return CHANGING.includes(type) ? 'rows' : null;
}

/** `CREATE OR REPLACE TEMP …`. */
function isTemporary(statement: string): boolean {
  const words = [];
  for (const { kind, start, end } of scanSql(statement, duckdbRules)) {
    if (kind !== 'word') continue;
    words.push(statement.slice(start, end).toLowerCase());
    if (words.length === 5) break;
  }
  const at = words[1] === 'or' ? 3 : 1;
  return (
    TEMPORARY.includes(words[at] ?? '') || (words[at] === 'local' && TEMPORARY.includes(words[at + 1] ?? ''))
  );
}
