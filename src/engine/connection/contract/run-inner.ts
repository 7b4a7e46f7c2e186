import { createReader } from '../../result/columns/read-value.ts';
import { quoteName } from '../../text/sql-quote.ts';
import { DatabaseError, type StatementResult, type TemporaryObject } from './connection.ts';

/** Runs one statement of our own, in the session of the user's. */
export type Run = (statement: string, signal: AbortSignal) => Promise<StatementResult>;

/** Refuses a query of the user's that may not become a part of a statement of our own. Rejects with a DatabaseError. */
export type CheckQuery = (query: string, signal: AbortSignal) => Promise<void>;

/** Runs a statement around a query, `[before, query, after]`, in which errors are then placed. */
export async function runAround(
  run: Run,
  [before, query, after = '']: readonly [before: string, query: string, after?: string],
  signal: AbortSignal,
): Promise<void> {
  try {
    // The line end keeps what follows out of a comment that may end the query.
    await run(after === '' ? before + query : `${before}${query}\n${after}`, signal);
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.offset === undefined) throw error;
    const offset = Math.min(Math.max(error.offset - before.length, 0), query.length);
    throw new DatabaseError(error.code, error.message, offset, { cause: error });
  }
}

/** The rows of a result whose columns are all texts. */
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

/** Temporary objects of rows of their type and their name. */
export function toTemporary(rows: readonly (readonly (string | null)[])[]): readonly TemporaryObject[] {
  return rows.map(([type, name]) => ({ type: type === 'view' ? 'view' : 'table', name: name! }));
}

/** Drops temporary objects in their `schema`, those that are there; views first, which may read the others. */
export async function dropTemporary(
  run: Run,
  schema: string,
  objects: readonly TemporaryObject[],
  signal: AbortSignal,
): Promise<void> {
  const views = objects.filter(({ type }) => type === 'view');
  for (const { type, name } of [...views, ...objects.filter((own) => !views.includes(own))]) {
    await run(`DROP ${type} IF EXISTS ${schema}.${quoteName(name)}`, signal);
  }
}

/** Runs statements of our own, of which an offset would say nothing to anybody. */
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

/** Does all of some work or nothing, also when the process ends in the middle of it. */
export type Transact = (signal: AbortSignal, work: () => Promise<void>) => Promise<void>;

/** Transactions of our own; `isInTransaction` tells of one that the user has begun, in which the work is a part. */
export function createTransact(run: Run, isInTransaction: () => boolean): Transact {
  return async (signal, work) => {
    if (isInTransaction()) return work();
    await run('BEGIN', signal);
    try {
      await work();
      await run('COMMIT', signal);
    } catch (error) {
      // A failed COMMIT has ended the transaction, and a cancelled session ends it.
      await run('ROLLBACK', new AbortController().signal).catch(() => {});
      throw error;
    }
  };
}
