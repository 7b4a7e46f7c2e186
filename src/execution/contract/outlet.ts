import type { Sink } from '../../engine/result/columns/sink.ts';
import { notNull } from '../../invariants/must.ts';
import { toError } from '../../invariants/narrow.ts';

/** The destination of a sink is closed or full; `cause` is its error. */
export class SinkError extends Error {
  constructor(cause: unknown) {
    super(toError(cause).message, { cause });
  }
}

/**
 * Sends the answer of an execution out of the process that owns its queue, and counts the bytes. Every error while
 * sending becomes a SinkError, so that it is not mistaken for an error of the database or an internal error.
 */
export class Outlet implements Sink {
  readonly #open: (startedAt: string) => Sink;
  readonly #onRows: ((rows: number) => void) | undefined;
  #sink: Sink | null = null;
  #startedAt: string | null = null;
  #bytes = 0;

  /**
   * `open` returns the destination when the first bytes arrive; `startedAt` is the time when the execution left the
   * queue. `onRows` receives the number of rows so far, if the execution runs in this process.
   */
  constructor(open: (startedAt: string) => Sink, onRows?: (rows: number) => void) {
    this.#open = open;
    this.#onRows = onRows;
  }

  /** When the execution left the queue; null while it is queued. */
  get startedAt(): string | null {
    return this.#startedAt;
  }

  /** Bytes of the answer so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Records that the execution has left the queue. */
  start(startedAt: string): void {
    this.#startedAt = startedAt;
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0) return;
    this.#bytes += bytes.length;
    try {
      this.#sink ??= this.#open(notNull(this.#startedAt));
      await this.#sink.write(bytes);
    } catch (cause) {
      throw new SinkError(cause);
    }
  }

  countRows(rows: number): void {
    this.#onRows?.(rows);
  }

  async transferSocket(): Promise<object | null> {
    try {
      return (await this.#sink?.transferSocket?.()) ?? null;
    } catch (cause) {
      throw new SinkError(cause);
    }
  }

  /** Counts bytes that another process has sent. */
  count(bytes: number): void {
    this.#bytes += bytes;
  }
}
