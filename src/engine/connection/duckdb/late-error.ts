import duckdb from '@duckdb/node-bindings';

import { DatabaseError } from '../contract/connection.ts';
import type { Executed } from './execute.ts';
import type { Engine } from './instance/engine.ts';
import { createCancelled, findErrorType, toDatabaseError } from './instance/errors.ts';

const AGAIN = 'EXPLAIN ANALYZE ';
/** Errors that the second run cannot show: a parser error, or that the first run ended the transaction. */
const OTHER_REASONS = ['Parser', 'TransactionContext'];

/**
 * The error of a result that ended too early. The engine does not report the reason; a query is run again, and its rows
 * discarded, to get it. Rejects with a DatabaseError of code `cancelled`.
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
