import type { Chunk, Column } from '../../result/columns/column.ts';
import type { DatabaseError } from '../contract/connection.ts';
import { CancelLoop } from './cancel-loop.ts';
import { createCancelled, toLostError } from './errors.ts';

/** What an exchange is done with. */
export interface ServerExchangeOptions {
  readonly signal: AbortSignal;
  /** Resolves when more has arrived. Rejects when the connection is no more. */
  readonly wait: () => Promise<void>;
  /** Asks the server to stop the statement; resolves when that has been passed on. Never rejects. */
  readonly requestCancel: () => Promise<void>;
  /** Ends a connection whose server does not stop. */
  readonly giveUp: () => void;
}

/**
 * One statement and all that a server answers, up to when it is ready for the next: when rows are read, when the rest is
 * taken that nobody reads, and when the server is asked to stop. What the bytes mean is the protocol's.
 */
export abstract class ServerExchange {
  readonly #options: ServerExchangeOptions;
  readonly #cancel: CancelLoop;
  /** Whether rows have been handed out, so that an error comes late. */
  #isLate = false;
  #isOver = false;
  #isLeft = false;
  #failure: (() => DatabaseError) | null = null;
  #reading: Promise<unknown> | null = null;

  constructor(options: ServerExchangeOptions) {
    this.#options = options;
    this.#cancel = new CancelLoop(options.requestCancel, options.giveUp);
  }

  /** Null for a statement without a result set. */
  abstract readonly columns: readonly Column[] | null;
  abstract readonly rowsChanged: number;

  /** Sends the statement. */
  protected abstract send(): void;
  /** Rows that have arrived and are wanted; null for none. */
  protected abstract readRows(): Chunk | null;
  /** Handles what has arrived, up to rows that are wanted; false when there was nothing. */
  protected abstract takeArrived(): boolean;
  /** Whether an error is what has arrived next. */
  protected abstract get failsNext(): boolean;
  /** Leaves the rest without an error, if it can: true when nothing is left to do. */
  protected abstract leaveEarly(): Promise<boolean>;
  /** After a request to stop was sent for a statement that is over. */
  protected abstract afterCancel(): Promise<void>;

  /** Sends the statement; resolves with its first rows, null for none. Rejects with a DatabaseError. */
  async begin(): Promise<Chunk | null> {
    this.#options.signal.addEventListener('abort', this.#onAbort, { once: true });
    this.send();
    const chunk = await this.read();
    // What has failed at once has failed before its rows.
    if (chunk !== null && this.failsNext) await this.read();
    this.#isLate = chunk !== null;
    return chunk;
  }

  /** The next rows, null at the good end. Rejects with a DatabaseError. */
  async next(): Promise<Chunk | null> {
    if (this.#isLeft) throw new Error('this result has been left');
    await this.#reading?.catch(() => {});
    return this.read();
  }

  /** Ends the exchange, wherever it is; never rejects. */
  async leave(): Promise<void> {
    this.#isLeft = true;
    if (!this.#isOver && this.#reading === null && (await this.leaveEarly())) return;
    if (!this.#isOver) this.#cancel.start();
    await this.#reading?.catch(() => {});
    if (!this.#isOver) await this.read().catch(() => {});
    await this.#settle();
  }

  protected get isOver(): boolean {
    return this.#isOver;
  }

  protected get isLate(): boolean {
    return this.#isLate;
  }

  /** Whether nobody reads any more. */
  protected get isStopped(): boolean {
    return this.#isLeft || this.#options.signal.aborted;
  }

  /** Notes what went wrong, which is thrown when the exchange is over; the first counts. */
  protected fail(create: () => DatabaseError): void {
    this.#failure ??= create;
  }

  /** Has the server stop what it does. */
  protected cancel(): void {
    this.#cancel.start();
  }

  /** The server is ready for the next statement. */
  protected end(): void {
    this.#isOver = true;
    this.#cancel.end();
    this.#options.signal.removeEventListener('abort', this.#onAbort);
  }

  /** Reads up to some rows, or to the end. */
  protected async read(): Promise<Chunk | null> {
    const reading = this.#readOn();
    this.#reading = reading;
    try {
      return await reading;
    } finally {
      this.#reading = null;
    }
  }

  async #readOn(): Promise<Chunk | null> {
    while (!this.#isOver) {
      // What nobody reads is not decoded: it may be what could not be read.
      const chunk = this.isStopped ? null : this.readRows();
      if (chunk !== null) return chunk;
      if (!this.takeArrived()) await this.#wait();
    }
    await this.#settle();
    if (this.isStopped) throw createCancelled();
    if (this.#failure !== null) throw this.#failure();
    return null;
  }

  async #wait(): Promise<void> {
    try {
      await this.#options.wait();
    } catch (error) {
      this.end();
      throw this.isStopped ? createCancelled() : toLostError(error as Error);
    }
  }

  /** What nobody reads any more is taken, since a server that waits for its reader does not stop. */
  readonly #onAbort = () => {
    this.#cancel.start();
    if (this.#reading === null) void this.read().catch(() => {});
  };

  /** Waits for a request to stop, and sees to it that it stops nothing else. */
  async #settle(): Promise<void> {
    if (await this.#cancel.settle()) await this.afterCancel();
  }
}
