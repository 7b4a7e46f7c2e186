import duckdb from '@duckdb/node-bindings';

import { createCancelled, toDatabaseError } from './errors.ts';
import type { Gate } from './gate/gate.ts';
import type { Lease } from './instances.ts';
import { Work } from './work.ts';

/** One DuckDB connection and what its session knows about its state. */
export class Engine {
  readonly connection: duckdb.Connection;
  readonly work: Work;
  /** Stands before statements of users in a sandbox; null where there is none. */
  readonly gate: Gate | null;
  readonly #lease: Lease;
  /** Whether an explicit transaction is open. */
  inTransaction = false;
  /** Whether the session is over; what still runs for it is cancelled. */
  closed = false;

  constructor(connection: duckdb.Connection, lease: Lease) {
    this.connection = connection;
    this.work = new Work(connection);
    this.gate = lease.gate;
    this.#lease = lease;
  }

  /** Notes that a result was not read to its good end. */
  abandonResult(): void {
    this.#lease.abandonResult();
  }

  /** Ends the connection; no work may be in progress. */
  async close(): Promise<void> {
    duckdb.disconnect_sync(this.connection);
    await this.#lease.release();
  }

  isStopped(signal: AbortSignal): boolean {
    return signal.aborted || this.closed;
  }

  /** Takes one step of running `statement`, unless it is cancelled. Rejects with a DatabaseError. */
  async step<T>(statement: string, signal: AbortSignal, start: () => Promise<T>): Promise<T> {
    if (this.isStopped(signal)) throw createCancelled();
    try {
      return await this.work.wait(start(), signal);
    } catch (error) {
      throw this.isStopped(signal) ? createCancelled() : toDatabaseError(error, statement);
    }
  }
}
