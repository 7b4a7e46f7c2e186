import type { Sink } from '../../engine/result/columns/sink.ts';
import type { TargetResult } from '../../engine/run/outcome/target-report.ts';
import { explainFileError } from '../../errors/explain-file-error.ts';
import { notNull } from '../../invariants/must.ts';

/** The destination of a sink is closed or full; `cause` is its error. */
export class SinkError extends Error {
  constructor(cause: unknown) {
    super(explainFileError(cause), { cause });
  }
}

/** The target of the bytes of an execution. */
export interface ExecutionSink extends Sink {
  /** Receives the end of each publication, for progress; the outcome has all of them. */
  noteTarget?(target: TargetResult): void;
}

type Listener = Pick<ExecutionSink, 'countRows' | 'noteQueued' | 'noteTarget'>;

/**
 * Sends the answer of an execution out of the process that owns its queue, and counts the bytes. Every error while
 * sending becomes a SinkError, so that it is not mistaken for an error of the database or an internal error.
 */
export class Outlet implements ExecutionSink {
  readonly #open: (startedAt: string) => Sink;
  readonly #listener: Listener;
  #sink: Sink | null = null;
  #startedAt: string | null = null;
  #bytes = 0;
  #isQueued = false;
  #progress: number | null = null;
  readonly #targets: TargetResult[] = [];

  /**
   * `open` returns the destination when the first bytes arrive; `startedAt` is the time when the execution left the
   * queue. `listener` receives the number of rows so far only if the execution runs in this process.
   */
  constructor(open: (startedAt: string) => Sink, listener: Listener = {}) {
    this.#open = open;
    this.#listener = listener;
  }

  /** When the execution left the queue; null while it is queued. */
  get startedAt(): string | null {
    return this.#startedAt;
  }

  /** Bytes of the answer so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether the database has the current statement in its own queue. */
  get isQueuedByDatabase(): boolean {
    return this.#isQueued;
  }

  /** The part of the current statement that is done, from 0 to 1; null if it is unknown. */
  get progress(): number | null {
    return this.#progress;
  }

  /** The publications that have ended; the list grows. */
  get targets(): readonly TargetResult[] {
    return this.#targets;
  }

  /** Records that the execution has left the queue. */
  start(startedAt: string): void {
    this.#startedAt = startedAt;
  }

  write(bytes: Uint8Array): void | Promise<void> {
    if (bytes.length === 0) return undefined;
    this.#bytes += bytes.length;
    try {
      this.#sink ??= this.#open(notNull(this.#startedAt));
      return this.#sink.write(bytes)?.catch((cause: unknown) => {
        throw new SinkError(cause);
      });
    } catch (cause) {
      throw new SinkError(cause);
    }
  }

  countRows(rows: number): void {
    this.#listener.countRows?.(rows);
  }

  noteQueued(isQueued: boolean): void {
    this.#isQueued = isQueued;
    this.#listener.noteQueued?.(isQueued);
  }

  noteProgress(progress: number | null): void {
    this.#progress = progress;
  }

  noteTarget(target: TargetResult): void {
    this.#targets.push(target);
    this.#listener.noteTarget?.(target);
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
