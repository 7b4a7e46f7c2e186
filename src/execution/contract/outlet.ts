import type { Sink } from '../../engine/result/columns/sink.ts';
import { notNull } from '../../invariants/must.ts';
import { toError } from '../../invariants/narrow.ts';

/** The other side of a sink is gone or full; `cause` is what it said. */
export class SinkError extends Error {
  constructor(cause: unknown) {
    super(toError(cause).message, { cause });
  }
}

/**
 * The one way of an execution's answer out of the process that owns its queue. Its bytes are counted here, and whatever
 * keeps them from leaving is a SinkError, so that it is never taken for a fault of the database or of ours.
 */
export class Outlet implements Sink {
  readonly #open: (startedAt: string) => Sink;
  #sink: Sink | null = null;
  #startedAt: string | null = null;
  #bytes = 0;

  /** `open` says where the bytes go, once there are any; `startedAt` is when the execution's turn came. */
  constructor(open: (startedAt: string) => Sink) {
    this.#open = open;
  }

  /** When the execution's turn came; null while it waits. */
  get startedAt(): string | null {
    return this.#startedAt;
  }

  /** Bytes of the answer so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Notes that the execution's turn has come. */
  start(startedAt: string): void {
    this.#startedAt = startedAt;
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0) return;
    this.count(bytes.length);
    try {
      this.#sink ??= this.#open(notNull(this.#startedAt));
      await this.#sink.write(bytes);
    } catch (cause) {
      throw new SinkError(cause);
    }
  }

  async transferSocket(): Promise<object | null> {
    try {
      return (await this.#sink?.transferSocket?.()) ?? null;
    } catch (cause) {
      throw new SinkError(cause);
    }
  }

  /** Counts bytes that have left; for those that another process has written. */
  count(bytes: number): void {
    this.#bytes += bytes;
  }
}
