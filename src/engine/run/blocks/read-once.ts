import type { Statement } from '../../script/evaluate/steps.ts';
import { createScriptError, describeDefinition } from '../../script/program/program.ts';
import type { BlockCall } from '../../script/values/request.ts';
import type { NamedQuery } from './compose.ts';

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
