import type { Statement } from '../../script/evaluate/steps.ts';
import { createFault, describeDefinition } from '../../script/program/program.ts';
import type { BlockCall } from '../../script/values/request.ts';
import type { NamedQuery } from './compose.ts';

/** A query for a call; `isOnce` if it, or one that it reads, may give other rows the next time. */
export interface CalledQuery extends NamedQuery {
  readonly call: BlockCall;
}

/**
 * For databases that run a query for each place that reads it: refuses those that have to run once and are read
 * more often. Throws a DiagnosticError.
 */
export function checkReadOnce(main: Statement, named: readonly CalledQuery[]): void {
  const texts = [...named.map(({ query }) => query.sql), main.sql];
  for (const { name, isOnce, call } of named) {
    if (!isOnce || countWord(texts, name) < 2) continue;
    const { block, site } = call;
    const message = `${describeDefinition(block)} may give other rows each time, and this database cannot run it once for all places of a view that read it: publish it as a table`;
    throw createFault(site.file.file, site, message);
  }
}

/** Whether a statement reads a query that has to run once. */
export function readsOnce({ sql }: Statement, named: readonly NamedQuery[]): boolean {
  return named.some(({ name, isOnce }) => isOnce && countWord([sql], name) > 0);
}

function countWord(texts: readonly string[], word: string): number {
  const pattern = new RegExp(`\\b${word}\\b`, 'g');
  return texts.reduce((sum, text) => sum + (text.match(pattern)?.length ?? 0), 0);
}
