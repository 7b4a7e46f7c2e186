import duckdb from '@duckdb/node-bindings';
import type { BoundValue } from '../../contract/bound-value.ts';
import type { Gate } from '../gate/gate.ts';
import type { DiskQuota } from './disk-quota.ts';
import { createCancelled, createDatabaseFull, toDatabaseError } from './errors.ts';
import type { Lease, Seat } from './instances.ts';
import { type DuckDbOptions, MEMORY } from './options.ts';

/** One DuckDB connection and the state that its session tracks. */
export class Engine {
  readonly connection: duckdb.Connection;
  readonly work: Work;
  /** Checks the statements of users in a sandbox; null without a sandbox. */
  readonly gate: Gate | null;
  /** The connection and its settings. */
  readonly seat: Seat;
  /** Limit of the database's disk use; null: no limit. */
  readonly quota: DiskQuota | null;
  readonly #lease: Lease;
  readonly #name: string;
  /** The values of the placeholders of the current statement. */
  values: readonly BoundValue[] = [];
  /** Whether an explicit transaction is open. */
  inTransaction = false;
  /** Whether the open transaction may have rows that its commit writes. */
  hasGrown = false;
  /** Whether the session has ended; its remaining work is cancelled. */
  closed = false;
  /** Whether the connection may have changed: a setting, an object, a transaction, an unfinished result. */
  hasTraces = false;
  /** Whether a later statement could miss something in a new session, apart from a transaction. */
  isNeeded: boolean;

  constructor(seat: Seat, lease: Lease, { name, file }: Pick<DuckDbOptions, 'name' | 'file'>) {
    this.seat = seat;
    this.connection = seat.connection;
    this.work = new Work(seat.connection);
    this.gate = lease.gate;
    this.quota = lease.quota;
    this.#lease = lease;
    this.#name = name;
    // Such a database ends with its session.
    this.isNeeded = file === MEMORY;
  }

  /** Updates the gate's stored objects, if it has barred any. */
  refreshGate(): Promise<void> {
    return this.#lease.refreshGate();
  }

  /** Records that a result was not read to its successful end. */
  abandonResult(): void {
    this.hasTraces = true;
    this.#lease.abandonResult();
  }

  /** Records that a statement sets a seed, or creates an object that does. */
  noteSeed(): void {
    this.#lease.noteSeed();
  }

  /** Closes the connection, or leaves it to the next session if it is unchanged; no work may be in progress. */
  async close(): Promise<void> {
    if (this.gate !== null && !this.hasTraces && !this.inTransaction && !this.work.wasInterrupted) {
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
   * Runs a step that may grow the database, and stops it when the database is full. Rejects with a DatabaseError, in
   * that case `quota`.
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

  /** Rejects a commit that would exceed the quota, with a DatabaseError of code `quota`. */
  async checkCommit(isUpdate: boolean): Promise<void> {
    if (this.quota === null || !this.hasGrown) return;
    if (await this.quota.isOverWithUnwritten(isUpdate)) throw createDatabaseFull(this.#name);
  }

  /** Runs one step of `statement` unless it is cancelled. Rejects with a DatabaseError. */
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

const INTERRUPT_EVERY_MS = 5;

/** The engine's work on one connection, one piece at a time, which can be interrupted. */
class Work {
  readonly #connection: duckdb.Connection;
  #current: Promise<unknown> | null = null;
  /** Whether any work was interrupted. */
  wasInterrupted = false;

  constructor(connection: duckdb.Connection) {
    this.#connection = connection;
  }

  /** Waits for a piece of work, and interrupts it when `signal` is aborted. Rejects like the work. */
  async wait<T>(piece: Promise<T>, signal: AbortSignal): Promise<T> {
    this.#current = piece;
    const stop = () => this.#interrupt(piece);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    try {
      return await piece;
    } finally {
      signal.removeEventListener('abort', stop);
      if (this.#current === piece) this.#current = null;
    }
  }

  /** Interrupts a piece of work and waits for it. Rejects like the work. */
  halt<T>(piece: Promise<T>): Promise<T> {
    this.#current = piece;
    this.#interrupt(piece);
    return piece;
  }

  /** Interrupts all current work; resolves when it has ended. */
  async stop(): Promise<void> {
    if (this.#current !== null) await this.halt(this.#current).catch(() => {});
  }

  /** The engine forgets an interrupt between two of its steps, so it is repeated until the work ends. */
  #interrupt(piece: Promise<unknown>): void {
    this.wasInterrupted = true;
    duckdb.interrupt(this.#connection);
    const timer = setInterval(() => duckdb.interrupt(this.#connection), INTERRUPT_EVERY_MS);
    const end = () => clearInterval(timer);
    piece.then(end, end);
  }
}
