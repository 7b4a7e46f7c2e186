import duckdb from '@duckdb/node-bindings';
import type { Chunk } from '../../result/columns/column.ts';
import { DatabaseError } from '../contract/connection.ts';
import { EarlyCollection } from '../contract/early-collection.ts';
import type { Executed } from './execute.ts';
import type { Engine } from './instance/engine.ts';
import { createCancelled, findErrorType, toDatabaseError } from './instance/errors.ts';
import type { Undoable } from './undoable.ts';
import { splitChunk } from './values/chunk.ts';
import type { Decoder } from './values/decoder.ts';

/** The rows of one result, to be read once; one chunk is fetched in advance. */
export class DuckdbResultStream {
  readonly #engine: Engine;
  readonly #statement: string;
  readonly #executed: Pick<Executed, 'type' | 'parts'>;
  readonly #decoders: readonly Decoder[];
  readonly #signal: AbortSignal;
  readonly #undoable: Undoable | null;
  /** Null after the stream has ended in any way, because a result keeps the database open. */
  #result: duckdb.Result | null;
  #next: Promise<duckdb.DataChunk | null> | null = null;
  #stopping: Promise<void> | null = null;
  /** Number of chunks read from a materialized result. */
  #taken = 0;

  constructor(
    engine: Engine,
    statement: string,
    executed: Executed & { readonly undoable: Undoable | null },
    decoders: readonly Decoder[],
    signal: AbortSignal,
  ) {
    this.#engine = engine;
    this.#statement = statement;
    this.#executed = { type: executed.type, parts: executed.parts };
    this.#decoders = decoders;
    this.#signal = signal;
    this.#result = executed.result;
    this.#undoable = executed.undoable;
  }

  /** Throws a DatabaseError: `cancelled`, or `late` when the engine fails. Leaving the iteration stops the query. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Chunk, void, undefined> {
    const collection = new EarlyCollection();
    try {
      for (let chunk = await this.#read(); chunk !== null; chunk = await this.#read()) {
        collection.noteChunk();
        yield* splitChunk(chunk, this.#decoders);
      }
    } finally {
      collection.end();
      await this.stop();
    }
  }

  /** Stops the query unless it has ended, and releases it; never rejects. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    const result = this.#result;
    this.#result = null;
    if (result !== null && duckdb.result_is_streaming(result)) {
      this.#engine.abandonResult();
      await this.#breakOff(result).catch(() => {});
    }
    this.#next = null;
    await this.#undoable?.undo();
  }

  /** The next chunk; null at the successful end. */
  async #read(): Promise<duckdb.DataChunk | null> {
    this.#next ??= this.#fetch(this.#checkOpen());
    const next = this.#next;
    const chunk = await this.#engine.step(this.#statement, this.#signal, () => next);
    const result = this.#checkOpen();
    if (chunk === null) {
      await this.#end(result);
      return null;
    }
    if (this.#engine.isStopped(this.#signal)) throw createCancelled();
    this.#next = this.#fetch(result);
    return chunk;
  }

  /** The next chunk; null at the end. Rejections are kept until the next read. */
  #fetch(result: duckdb.Result): Promise<duckdb.DataChunk | null> {
    if (duckdb.result_is_streaming(result)) return fetchChunk(result);
    const isThere = this.#taken < duckdb.result_chunk_count(result);
    return Promise.resolve(isThere ? duckdb.result_get_chunk(result, this.#taken++) : null);
  }

  #checkOpen(): duckdb.Result {
    if (this.#result !== null) return this.#result;
    throw this.#engine.closed ? createCancelled() : new Error('this result has been left');
  }

  /** Only the type distinguishes an interrupted result from a complete one. */
  async #end(result: duckdb.Result): Promise<void> {
    this.#result = null;
    this.#next = null;
    if (duckdb.result_return_type(result) !== duckdb.ResultType.INVALID)
      return this.#undoable?.keep(this.#signal);
    this.#engine.abandonResult();
    if (this.#engine.isStopped(this.#signal)) throw createCancelled();
    throw await findLateError(this.#engine, this.#statement, this.#executed, this.#signal);
  }

  /** An interrupt also ends an explicit transaction; inside one, a new statement ends only the query. */
  async #breakOff(result: duckdb.Result): Promise<void> {
    const { connection, work, inTransaction } = this.#engine;
    let next = this.#next ?? fetchChunk(result);
    if (!inTransaction || this.#engine.isStopped(this.#signal)) {
      while ((await work.halt(next)) !== null) next = fetchChunk(result);
      return;
    }
    await work.wait(next, this.#signal);
    duckdb.destroy_prepare_sync(await work.wait(duckdb.prepare(connection, 'SELECT 1'), this.#signal));
  }
}

/** The next chunk of a stream; null at its end. Rejections are kept until the next read. */
function fetchChunk(result: duckdb.Result): Promise<duckdb.DataChunk | null> {
  const chunk = fetchRows(result);
  chunk.catch(() => {});
  return chunk;
}

async function fetchRows(result: duckdb.Result): Promise<duckdb.DataChunk | null> {
  const chunk = await duckdb.fetch_chunk(result);
  return chunk === null || duckdb.data_chunk_get_size(chunk) === 0 ? null : chunk;
}

const AGAIN = 'EXPLAIN ANALYZE ';
/** Errors that the second run cannot show: a parser error, or that the first run ended the transaction. */
const OTHER_REASONS = ['Parser', 'TransactionContext'];

/**
 * The error of a result that ended too early. The engine does not report the reason; a query is run again, and its rows
 * discarded, to get it. Rejects with a DatabaseError of code `cancelled`.
 */
async function findLateError(
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
