import duckdb from '@duckdb/node-bindings';
import type { Gate } from '../gate/gate.ts';
import type { DiskQuota } from './disk-quota.ts';
import { createCancelled, createDatabaseFull, toDatabaseError } from './errors.ts';
import type { Lease, Seat } from './instances.ts';
import { Work } from './work.ts';

/** One DuckDB connection and what its session knows about its state. */
export class Engine {
  readonly connection: duckdb.Connection;
  readonly work: Work;
  /** Stands before statements of users in a sandbox; null where there is none. */
  readonly gate: Gate | null;
  /** The connection, and how it is set. */
  readonly seat: Seat;
  /** How much of the disk the database may use; null for any amount. */
  readonly quota: DiskQuota | null;
  readonly #lease: Lease;
  readonly #name: string;
  /** Whether an explicit transaction is open. */
  inTransaction = false;
  /** Whether the open transaction may have rows that its commit writes. */
  hasGrown = false;
  /** Whether the session is over; what still runs for it is cancelled. */
  closed = false;
  /** Whether anything may have been left in the connection: a setting, an object, a transaction, a query half read. */
  hasTraces = false;

  constructor(seat: Seat, lease: Lease, name: string) {
    this.seat = seat;
    this.connection = seat.connection;
    this.work = new Work(seat.connection);
    this.gate = lease.gate;
    this.quota = lease.quota;
    this.#lease = lease;
    this.#name = name;
  }

  /** Lets the gate know what is stored now, where something stored may not be used. */
  refreshGate(): Promise<void> {
    return this.#lease.refreshGate();
  }

  /** Notes that a result was not read to its good end. */
  abandonResult(): void {
    this.hasTraces = true;
    this.#lease.abandonResult();
  }

  /** Notes that a statement sets a seed, or makes something that does. */
  noteSeed(): void {
    this.#lease.noteSeed();
  }

  /** Disables the optimizers again that compute wrong results, after a statement that may have changed the list. */
  async disableFaultyOptimizers(): Promise<void> {
    // A sandbox changes no settings.
    if (this.gate === null) await this.#lease.disableFaultyOptimizers();
  }

  /** Ends the connection, or leaves it as it was made to the next session; no work may be in progress. */
  async close(): Promise<void> {
    if (this.gate !== null && !this.hasTraces && !this.work.wasInterrupted) {
      await this.#lease.release(this.seat);
      return;
    }
    duckdb.disconnect_sync(this.connection);
    await this.#lease.release();
  }

  isStopped(signal: AbortSignal): boolean {
    return signal.aborted || this.closed;
  }

  /**
   * Takes a step that may make the database grow, and stops it when the database is full. Rejects with a DatabaseError,
   * `quota` for that.
   */
  async grow<T>(
    statement: string,
    signal: AbortSignal,
    quota: DiskQuota,
    start: () => Promise<T>,
  ): Promise<T> {
    this.hasGrown = true;
    if (this.isStopped(signal)) throw createCancelled();
    if (await quota.isFull()) throw createDatabaseFull(this.#name);
    const watch = quota.watch();
    try {
      return await this.step(statement, AbortSignal.any([signal, watch.signal]), start);
    } catch (error) {
      throw watch.signal.aborted && !this.isStopped(signal) ? createDatabaseFull(this.#name) : error;
    } finally {
      watch.end();
    }
  }

  /** Refuses to commit what would take the database over its quota. Rejects with a DatabaseError of code `quota`. */
  async checkCommit(isUpdate: boolean): Promise<void> {
    if (this.quota === null || !this.hasGrown) return;
    if (await this.quota.isOverWithUnwritten(isUpdate)) throw createDatabaseFull(this.#name);
  }

  /** Takes one step of running `statement`, unless it is cancelled. Rejects with a DatabaseError. */
  async step<T>(statement: string, signal: AbortSignal, start: () => Promise<T>): Promise<T> {
    if (this.isStopped(signal)) throw createCancelled();
    try {
      return await this.work.wait(start(), signal);
    } catch (error) {
      this.hasTraces = true;
      throw this.isStopped(signal) ? createCancelled() : toDatabaseError(error, statement);
    }
  }
}
