import { setTimeout as sleep } from 'node:timers/promises';
import type { Chunk, Column } from '../../result/columns/column.ts';
import type { DatabaseError } from '../contract/connection.ts';
import { createCancelled, toLostError } from './errors.ts';

/** The means of an exchange. */
export interface ServerExchangeOptions {
  readonly signal: AbortSignal;
  /** Resolves when more bytes have arrived. Rejects when the connection has closed. */
  readonly wait: () => Promise<void>;
  /** Asks the server to cancel the statement; resolves when the request was passed on. Never rejects. */
  readonly requestCancel: () => Promise<void>;
  /** Closes a connection whose server does not stop. */
  readonly giveUp: () => void;
}

/**
 * One statement and the server's answer, until it is ready for the next one. Decides when rows are read, when unread
 * rows are discarded, and when the server is asked to stop; subclasses implement the protocol.
 */
export abstract class ServerExchange {
  readonly #options: ServerExchangeOptions;
  readonly #cancel: CancelLoop;
  /** Whether rows have been returned, so that an error is a late one. */
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
  /** The wanted rows that have arrived; null for none. */
  protected abstract readRows(): Chunk | null;
  /** Handles what has arrived, up to wanted rows; false when nothing has arrived. */
  protected abstract takeArrived(): boolean;
  /** Whether the next thing that has arrived is an error. */
  protected abstract get failsNext(): boolean;
  /** Drops the rest without an error, if possible: true when nothing remains to be done. */
  protected abstract leaveEarly(): Promise<boolean>;
  /** Called when a cancellation was sent for a statement that has ended. */
  protected abstract afterCancel(): Promise<void>;

  /** Waits before rows are read, so that something else can happen first. */
  protected async beforeRead(): Promise<void> {}

  /** Sends the statement; resolves with its first rows, or null without rows. Rejects with a DatabaseError. */
  async begin(): Promise<Chunk | null> {
    this.#options.signal.addEventListener('abort', this.#onAbort, { once: true });
    this.send();
    const chunk = await this.read();
    // An error that has already arrived counts as one before the rows.
    if (chunk !== null && this.failsNext) await this.read();
    this.#isLate = chunk !== null;
    return chunk;
  }

  /** The next rows; null at the successful end. Rejects with a DatabaseError. */
  async next(): Promise<Chunk | null> {
    if (this.#isLeft) throw new Error('this result has been left');
    await this.#reading?.catch(() => {});
    return this.read();
  }

  /** Ends the exchange in any state; never rejects. */
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

  /** Whether rows are no longer read. */
  protected get isStopped(): boolean {
    return this.#isLeft || this.#options.signal.aborted;
  }

  /** Records the first error, which is thrown at the end of the exchange. */
  protected fail(create: () => DatabaseError): void {
    this.#failure ??= create;
  }

  /** Asks the server to stop. */
  protected cancel(): void {
    this.#cancel.start();
  }

  /** The server is ready for the next statement. */
  protected end(): void {
    this.#isOver = true;
    this.#cancel.end();
    this.#options.signal.removeEventListener('abort', this.#onAbort);
  }

  /** Reads up to the next rows, or to the end. */
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
    await this.beforeRead();
    while (!this.#isOver) {
      // Unread rows are not decoded, because decoding may be what failed.
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

  /** Unread rows are still received, because a server that waits for its reader does not stop. */
  readonly #onAbort = () => {
    this.#cancel.start();
    if (this.#reading === null) void this.read().catch(() => {});
  };

  /** Waits until no cancel request is in transit, and ensures that it stops no other statement. */
  async #settle(): Promise<void> {
    if (await this.#cancel.settle()) await this.afterCancel();
  }
}

/** Milliseconds before a request is repeated. */
const FIRST_PAUSE = 20;
/** Milliseconds after which a server that does not stop is abandoned. */
const PATIENCE = 5000;

/**
 * Repeats a cancel request until the statement ends: a server may lose a request that arrives before the statement
 * starts.
 */
class CancelLoop {
  readonly #request: () => Promise<void>;
  readonly #giveUp: () => void;
  readonly #ended = Promise.withResolvers<void>();
  #isOver = false;
  #patience: NodeJS.Timeout | undefined;
  #running: Promise<void> | null = null;

  /** `request` resolves when it was passed on, and never rejects; `giveUp` closes the connection. */
  constructor(request: () => Promise<void>, giveUp: () => void) {
    this.#request = request;
    this.#giveUp = giveUp;
  }

  /** Starts once, unless the statement has ended. */
  start(): void {
    if (this.#isOver || this.#running !== null) return;
    this.#patience = setTimeout(this.#giveUp, PATIENCE);
    this.#running = this.#run();
  }

  async #run(): Promise<void> {
    for (let pause = FIRST_PAUSE; !this.#isOver; pause *= 2) {
      await this.#request();
      await Promise.race([this.#ended.promise, sleep(pause, null, { ref: false })]);
    }
  }

  /** Call this when the statement has ended. */
  end(): void {
    this.#isOver = true;
    this.#ended.resolve();
    clearTimeout(this.#patience);
  }

  /** Resolves when no request is in transit; true if any was sent. */
  async settle(): Promise<boolean> {
    const running = this.#running;
    if (running === null) return false;
    await running;
    const isFirst = this.#running === running;
    this.#running = null;
    return isFirst;
  }
}
