import { createReader } from '../../result/columns/read-value.ts';
import { quoteName } from '../../text/sql-quote.ts';
import { DatabaseError, type StatementResult, type TemporaryObject } from './connection.ts';

/** Runs one internal statement in the user's session. */
export type Run = (statement: string, signal: AbortSignal) => Promise<StatementResult>;

/** Checks whether a user's query may become part of an internal statement. Rejects with a DatabaseError if not. */
export type CheckQuery = (query: string, signal: AbortSignal) => Promise<void>;

/** Runs a statement around a query, `[before, query, after]`, and converts error offsets to offsets in the query. */
export async function runAround(
  run: Run,
  [before, query, after = '']: readonly [before: string, query: string, after?: string],
  signal: AbortSignal,
): Promise<StatementResult> {
  try {
    // The line break ends a comment at the end of the query.
    return await run(after === '' ? before + query : `${before}${query}\n${after}`, signal);
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.offset === undefined) throw error;
    const offset = Math.min(Math.max(error.offset - before.length, 0), query.length);
    throw new DatabaseError(error.code, error.message, offset, { cause: error });
  }
}

/** The rows of a result whose columns are all text. */
export async function readTexts(result: StatementResult): Promise<readonly (readonly (string | null)[])[]> {
  if (result.kind === 'done') return [];
  const { columns, chunks } = result;
  const rows: (string | null)[][] = [];
  for await (const chunk of chunks) {
    const readers = columns.map(({ type }, i) => createReader(type, chunk.vector(i)));
    for (let row = 0; row < chunk.rows; row += 1) {
      rows.push(readers.map((read) => read(row) as string | null));
    }
  }
  return rows;
}

/** Converts rows with type and name to temporary objects. */
export function toTemporary(rows: readonly (readonly (string | null)[])[]): readonly TemporaryObject[] {
  return rows.map(([type, name]) => ({ type: type === 'view' ? 'view' : 'table', name: name! }));
}

/** Drops existing temporary objects in their `schema`; views first, because they may read the others. */
export async function dropTemporary(
  run: Run,
  schema: string,
  objects: readonly TemporaryObject[],
  signal: AbortSignal,
): Promise<void> {
  const views = objects.filter(({ type }) => type === 'view');
  for (const { type, name } of [...views, ...objects.filter((object) => !views.includes(object))]) {
    await run(`DROP ${type} IF EXISTS ${schema}.${quoteName(name)}`, signal);
  }
}

/** Runs internal statements without error offsets, which mean nothing to the user. */
export function withoutOffsets(run: Run): Run {
  return async (statement, signal) => {
    try {
      return await run(statement, signal);
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      throw new DatabaseError(error.code, error.message, undefined, { cause: error });
    }
  };
}

/** Does some work in a transaction, so that all or none of it is stored. */
export type Transact = <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

/**
 * Runs internal transactions; `isInTransaction` returns whether the user has started one, which the work then joins.
 */
export function createTransact(run: Run, isInTransaction: () => boolean): Transact {
  return async (signal, work) => {
    if (isInTransaction()) return work();
    await run('BEGIN', signal);
    try {
      const result = await work();
      await run('COMMIT', signal);
      return result;
    } catch (error) {
      // A failed COMMIT or a cancelled session has already ended the transaction.
      await run('ROLLBACK', new AbortController().signal).catch(() => {});
      throw error;
    }
  };
}
