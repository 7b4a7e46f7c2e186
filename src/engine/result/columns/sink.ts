/** The target of encoded bytes. */
export interface Sink {
  /**
   * Takes bytes. The writer waits for a returned promise, which is back-pressure; it rejects if the other side is closed
   * or full. The writer uses the memory again after `write` has returned or its promise has resolved: a sink that keeps
   * bytes for later must copy them. After a rejection, the memory is never written again.
   */
  write(bytes: Uint8Array): void | Promise<void>;
  /** Takes several parts in order, as `write` does; for a sink that can hand them to the system together. */
  writeAll?(parts: readonly Uint8Array[]): Promise<void>;
  /** Receives the number of rows so far, for progress; some of them may not be written yet. */
  countRows?(rows: number): void;
  /** Receives whether the database has the current statement in a queue, for progress. */
  noteQueued?(isQueued: boolean): void;
  /** Receives the part of the current statement that is done, from 0 to 1; null if it is unknown. */
  noteProgress?(progress: number | null): void;
  /**
   * Transfers the connection to another process. Resolves after all written bytes are sent, with the handle of the
   * connection; the other process writes the rest, and this sink must not be used again. The connection is HTTP/1.1
   * after the head of a chunked response, and takes all chunks except the last one. Resolves with null if there is no
   * such connection; rejects as `write`.
   */
  transferSocket?(): Promise<object | null>;
}
