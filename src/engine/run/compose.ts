import type { Statement } from '../script/steps.ts';
import type { SqlLexis } from '../text/sql-lexis.ts';
import { scanSql } from '../text/sql-scanner.ts';

/** A query under a name, for the statement that it becomes a part of. */
export interface NamedQuery {
  readonly name: string;
  readonly query: Statement;
  /** Whether it has to be computed once, however often it is read. */
  readonly isOnce: boolean;
}

/** Words with which a statement begins that can hold queries before it. */
const HOLDERS = new Set(['select', 'from', 'values', 'table', '(', 'with']);

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
      const own = placed.findLast(({ at }) => at <= start) ?? placed[0]!;
      const clamp = (offset: number) => Math.min(Math.max(offset - own.at, 0), own.part.sql.length);
      return own.part.findOrigin({ start: clamp(start), end: clamp(end) });
    },
  };
}

/**
 * A query with others before it, each of which the later ones may read; null where its text has no place for
 * them.
 */
export function compose(
  statement: Statement,
  named: readonly NamedQuery[],
  lexis: SqlLexis,
): Statement | null {
  if (named.length === 0) return statement;
  const [first, second] = listWords(statement.sql, lexis);
  // Below RECURSIVE the statement's own names may be seen by queries that stand before them.
  if (first === undefined || !HOLDERS.has(first.text) || second?.text === 'recursive') return null;
  const own = first.text === 'with' ? cutStart(statement, first.end) : statement;
  const parts = named.flatMap(({ name, query, isOnce }, i) => [
    `${i === 0 ? 'WITH ' : ', '}${name} AS ${isOnce ? 'MATERIALIZED ' : ''}(`,
    query,
    '\n)',
  ]);
  return joinStatements([...parts, first.text === 'with' ? ',' : '\n', own], own);
}

/** A statement without its first characters. */
function cutStart({ sql, start, findOrigin }: Statement, length: number): Statement {
  return {
    sql: sql.slice(length),
    start: Math.max(start - length, 0),
    findOrigin: (span) => findOrigin({ start: span.start + length, end: span.end + length }),
  };
}

/** The first two words of a statement. */
function listWords(sql: string, lexis: SqlLexis) {
  const words: { readonly text: string; readonly end: number }[] = [];
  for (const { kind, start, end } of scanSql(sql, lexis)) {
    if (kind === 'space' || kind === 'comment') continue;
    words.push({ text: sql.slice(start, end).toLowerCase(), end });
    if (words.length === 2) break;
  }
  return words;
}
