import duckdb from '@duckdb/node-bindings';

const INTERRUPT_EVERY_MS = 5;

/** The engine's work on one connection, one piece at a time, and the means to stop it. */
export class Work {
  readonly #connection: duckdb.Connection;
  #current: Promise<unknown> | null = null;
  /** Whether any of it was interrupted. */
  wasInterrupted = false;

  constructor(connection: duckdb.Connection) {
    this.#connection = connection;
  }

  /** Waits for a piece of work, and interrupts it once `signal` is aborted. Rejects as the work does. */
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

  /** Interrupts a piece of work and waits for it. Rejects as the work does. */
  halt<T>(piece: Promise<T>): Promise<T> {
    this.#current = piece;
    this.#interrupt(piece);
    return piece;
  }

  /** Interrupts whatever is being waited for; resolves when nothing is. */
  async stop(): Promise<void> {
    if (this.#current !== null) await this.halt(this.#current).catch(() => {});
  }

  /** The engine forgets an interrupt that comes between two of its steps: ours is repeated to the end. */
  #interrupt(piece: Promise<unknown>): void {
    this.wasInterrupted = true;
    duckdb.interrupt(this.#connection);
    const timer = setInterval(() => duckdb.interrupt(this.#connection), INTERRUPT_EVERY_MS);
    const end = () => clearInterval(timer);
    piece.then(end, end);
  }
}
