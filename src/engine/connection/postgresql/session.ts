import { serialize } from 'pg-protocol';
import {
  type Connection,
  DatabaseError,
  type Relations,
  type StatementResult,
} from '../contract/connection.ts';
import { OneAtATime } from '../contract/one-at-a-time.ts';
import { ResultStream } from '../contract/result-stream.ts';
import { writeThroughDuckDb } from '../duckdb/write-through-duckdb.ts';
import { createCancelled } from './errors.ts';
import { Exchange } from './exchange.ts';
import { PostgresqlPublishing } from './publishing.ts';
import { createRelations } from './relations.ts';
import type { Wire } from './wire.ts';

const PARQUET = { type: 'parquet', compression: 'snappy' } as const;
/** A server that does not end a session for so long, in ms, is left. */
const PATIENCE = 1000;

/** One session of a server. */
export class PostgresqlSession implements Connection {
  readonly #wire: Wire;
  readonly #requestCancel: () => Promise<void>;
  readonly #stopping = new AbortController();
  #exchange: Exchange | null = null;
  readonly #turns = new OneAtATime();
  #inTransaction = false;
  #closing: Promise<void> | null = null;

  readonly relations: Relations;
  readonly publishing = new PostgresqlPublishing(
    (statement, signal) => this.run(statement, signal),
    () => this.#inTransaction,
  );

  /** `version` is the server's own number, such as 15.18. */
  constructor(wire: Wire, version: number, requestCancel: () => Promise<void>) {
    this.relations = createRelations((statement, signal) => this.run(statement, signal), version);
    this.#wire = wire;
    this.#requestCancel = requestCancel;
  }

  async run(statement: string, signal: AbortSignal): Promise<StatementResult> {
    if (this.#closing !== null) throw new Error('the session is closed');
    return this.#turns.run(() => this.#run(statement, signal));
  }

  async #run(statement: string, signal: AbortSignal): Promise<StatementResult> {
    await this.#leave();
    if (signal.aborted) throw createCancelled();
    const nul = statement.indexOf('\0');
    if (nul !== -1) throw new DatabaseError('sql', 'A statement cannot contain a NUL character.', nul);
    const exchange = new Exchange({
      wire: this.#wire,
      statement,
      signal: AbortSignal.any([signal, this.#stopping.signal]),
      inTransaction: this.#inTransaction,
      requestCancel: this.#requestCancel,
    });
    this.#exchange = exchange;
    try {
      const first = await exchange.begin();
      const { columns, rowsChanged } = exchange;
      if (columns !== null) return { kind: 'rows', columns, chunks: new ResultStream(exchange, first) };
      await this.#leave();
      return { kind: 'done', rowsChanged };
    } catch (error) {
      await this.#leave();
      throw error;
    }
  }

  async exportParquet(query: string, file: string, maxRows: number, signal: AbortSignal): Promise<number> {
    return writeThroughDuckDb(await this.run(query, signal), file, PARQUET, signal, maxRows);
  }

  /** Ends what the last statement left open. */
  async #leave(): Promise<void> {
    const exchange = this.#exchange;
    if (exchange === null) return;
    this.#exchange = null;
    await exchange.leave();
    this.#inTransaction = exchange.inTransaction;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#stopping.abort();
    await this.#turns.settle();
    await this.#leave();
    const timer = setTimeout(() => this.#wire.destroy(), PATIENCE);
    this.#wire.write(serialize.end());
    this.#wire.end();
    await this.#wire.closed;
    clearTimeout(timer);
  }
}
