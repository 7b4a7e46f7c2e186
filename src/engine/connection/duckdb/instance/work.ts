import duckdb from '@duckdb/node-bindings';

const INTERRUPT_EVERY_MS = 5;

/** The engine's work on one connection, one piece at a time, which can be interrupted. */
export class Work {
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
