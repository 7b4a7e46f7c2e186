import duckdb from '@duckdb/node-bindings';

import { DatabaseError } from '../contract/connection.ts';
import type { Executed } from './execute.ts';
import type { Engine } from './instance/engine.ts';
import { createCancelled, findErrorType, toDatabaseError } from './instance/errors.ts';

const AGAIN = 'EXPLAIN ANALYZE ';
/** What the second run cannot tell: that it does not parse, or that the first one ended the transaction. */
const OTHER_REASONS = ['Parser', 'TransactionContext'];

/**
 * The error of a result that ended before its end. The engine keeps the reason to itself; a query is run
 * once more, its rows thrown away, to hear it. Rejects with a DatabaseError of code `cancelled`.
 */
export async function findLateError(
  engine: Engine,
  statement: string,
  { type, parts }: Pick<Executed, 'type' | 'parts'>,
  signal: AbortSignal,
): Promise<DatabaseError> {
  if (type === duckdb.StatementType.SELECT && parts === 1 && !engine.inTransaction) {
    const reason = await runAgain(engine, statement, signal);
    if (reason !== null) return new DatabaseError('late', reason.message, reason.offset, { cause: reason });
  }
  return new DatabaseError('late', 'DuckDB broke off in the middle of the result and gave no reason.');
}

async function runAgain(
  engine: Engine,
  statement: string,
  signal: AbortSignal,
): Promise<DatabaseError | null> {
  try {
    await engine.work.wait(duckdb.query(engine.connection, AGAIN + statement), signal);
    return null;
  } catch (error) {
    if (engine.isStopped(signal)) throw createCancelled();
    return OTHER_REASONS.includes(findErrorType(error)) ? null : toDatabaseError(error, statement, AGAIN);
  }
}
